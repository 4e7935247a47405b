// Ranks that go on together, or not at all.
#pragma once

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "mpi/peers.hpp"

namespace parallel {

/// Why one rank has failed, to all others. It needs hardly any memory, of which there may be none.
inline std::string share_failure(Peers& peers, int failed, const std::exception_ptr& failure) {
  char why[256] = "";
  if (peers.rank() != failed) {
    peers.receive(failed, why, sizeof why);
    return why;
  }
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    std::snprintf(why, sizeof why, "%s", error.what());
  }
  for (int to = 0; to < peers.size(); ++to)
    if (to != failed) peers.send(to, why, sizeof why);
  peers.flush();
  return "";
}

/// Throws at all ranks where one has failed: its own failure there, PeerFailed elsewhere.
inline void expect_success(Peers& peers, const std::exception_ptr& failure) {
  const char failed = failure ? 1 : 0;
  std::vector<char> all(std::size_t(peers.size()));
  peers.gather(&failed, 1, all.data());
  const auto first = std::find(all.begin(), all.end(), char(1));
  if (first == all.end()) return;
  const int failed_rank = int(first - all.begin());
  const std::string why = share_failure(peers, failed_rank, failure);
  if (failure) std::rethrow_exception(failure);
  throw PeerFailed("rank " + std::to_string(failed_rank) + " has failed: " + why);
}

/// What each rank does by itself, before they go on.
template <class Work>
void together(Peers& peers, const Work& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  expect_success(peers, failure);
}

}  // namespace parallel
