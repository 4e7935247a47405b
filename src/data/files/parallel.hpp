// Work on many files by all threads of the process.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>

#include "device/host/threads.hpp"

namespace chord {

/// body(i) for 0 ≤ i < count, in any order. Of what goes wrong, the first by number is thrown, when all are done: the
/// same for any number of threads.
template <class Body>
void for_each_in_parallel(std::size_t count, const Body& body) {
  struct Job {
    const Body& body;
    mutable std::mutex mutex;
    mutable std::size_t first = 0;
    mutable std::exception_ptr failure;
  } job{body, {}, count, {}};
  const auto piece = [](const void* data, std::size_t i) noexcept {
    const Job& job = *static_cast<const Job*>(data);
    try {
      job.body(i);
    } catch (...) {
      const std::lock_guard lock(job.mutex);
      if (std::exchange(job.first, std::min(job.first, i)) > i) job.failure = std::current_exception();
    }
  };
  run_on_threads(count, piece, &job);
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace chord
