// The host device's threads: every piece once, whoever calls.
#include "device/host/threads.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace chord;

namespace {

using Counters = std::vector<std::atomic<int>>;

/// Each piece adds one to its own counter.
void count_pieces(Counters& counters) {
  struct Job {
    Counters& counters;
  } const job{counters};
  run_on_threads(
      counters.size(), [](const void* data, std::size_t i) { ++static_cast<const Job*>(data)->counters[i]; }, &job);
}

}  // namespace

TEST_CASE("every piece is done once before the call returns") {
  for (int round = 0; round < 2000; ++round) {
    Counters counters(std::size_t(round % 37));
    count_pieces(counters);
    for (const auto& counter : counters) REQUIRE(counter == 1);
  }
}

TEST_CASE("callers from several threads do not disturb each other") {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        Counters counters(13);
        count_pieces(counters);
        for (const auto& counter : counters) wrong += counter != 1;
      }
    });
  for (auto& caller : callers) caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("who has done his share helps others") {
  if (host_threads() < 2) return;
  struct Job {
    std::atomic<std::size_t> others{0};
    bool helped = false;
  } job;
  constexpr std::size_t pieces = 16;
  // The first piece holds its thread up until all others are done, those of its own share, too.
  run_on_threads(
      pieces,
      [](const void* data, std::size_t i) {
        Job& job = *const_cast<Job*>(static_cast<const Job*>(data));
        if (i > 0) {
          ++job.others;
          return;
        }
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (job.others < pieces - 1 && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
        job.helped = job.others == pieces - 1;
      },
      &job);
  CHECK(job.helped);
}
