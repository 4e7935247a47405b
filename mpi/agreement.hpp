// Ranks that go on together, or not at all.
#pragma once

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "mpi/peers.hpp"

namespace parallel {

/// Throws at all ranks where one has failed: its own failure there, PeersLost elsewhere.
inline void expect_success(Peers& peers, const std::exception_ptr& failure) {
  const char failed = failure ? 1 : 0;
  std::vector<char> all(std::size_t(peers.size()));
  peers.gather(&failed, 1, all.data());
  if (failure) std::rethrow_exception(failure);
  const auto first = std::find(all.begin(), all.end(), char(1));
  if (first != all.end()) throw PeersLost("rank " + std::to_string(first - all.begin()) + " has failed");
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
