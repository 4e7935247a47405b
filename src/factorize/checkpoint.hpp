// The file that is given the best result so far, every few seconds.
#pragma once

#include <new>

#include "factorize/limits.hpp"

namespace chord {

class Checkpoint {
 public:
  explicit Checkpoint(const FitOptions& options)
      : path_(options.checkpoint), interval_(options.checkpoint_seconds), next_(interval_) {}

  bool due(double now) const { return !path_.empty() && now >= next_; }

  /// A failure is logged, once: a full disk should not end a run that has an hour behind it.
  template <class Result>
  void write(const Limits& limits, Result result) {
    try {
      result().save(path_);
    } catch (const Error& error) {
      report(error.what());
    } catch (const std::bad_alloc&) {
      report("out of memory");
    }
    next_ = limits.seconds() + interval_;
  }

 private:
  void report(const char* problem);

  std::string path_;
  double interval_, next_;
  bool failed_ = false;
};

}  // namespace chord
