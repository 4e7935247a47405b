// What ends a run from outside: its iterations, its time, its caller.
#pragma once

#include <chrono>
#include <optional>

#include "factorize/factorize.hpp"

namespace chord {

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The time begins when it is made.
class Limits {
 public:
  explicit Limits(const FitOptions& options) : options_(options) {}

  double seconds() const { return options_.peers ? options_.peers->seconds() : clock_.seconds(); }
  std::int64_t iterations() const { return iterations_; }
  void count_iteration() { ++iterations_; }
  void count_iterations_of_others(std::int64_t count) { iterations_ += count; }

  bool time_is_up() const { return seconds() >= options_.seconds; }
  /// Whether so much more would end before a limit does.
  bool allow(double seconds, std::int64_t iterations) const {
    return this->seconds() + seconds < options_.seconds && options_.iterations - iterations_ >= iterations;
  }

  /// The limit that is reached at the time `now`. The caller is asked now and then, and when a limit is reached, with
  /// what progress() tells.
  template <class Progress>
  std::optional<Stop> reached(double now, Progress progress) {
    const bool apart = options_.peers && options_.peers->apart();  // then nobody knows how many there are
    const bool late = now >= options_.seconds, enough = !apart && iterations_ >= options_.iterations;
    bool cancelled = false;
    if (options_.callback && (late || enough || now >= next_callback_)) {
      next_callback_ = now + options_.callback_seconds;
      cancelled = options_.callback(progress());
    }
    if (options_.peers ? options_.peers->agree_to_stop(cancelled) : cancelled) return Stop::cancelled;
    if (enough) return Stop::iterations;
    if (late) return Stop::seconds;
    return {};
  }

 private:
  const FitOptions& options_;
  Clock clock_;
  std::int64_t iterations_ = 0;
  double next_callback_ = 0;
};

}  // namespace chord
