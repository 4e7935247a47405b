// The learning rate over the steps of a run.
#pragma once

#include "course.hpp"
#include "settings.hpp"

namespace train {

/// `constant`; `warmup`: linear to the full rate, which then stays; `cosine`: after such a rise, if any, a fall along
/// half a cosine, towards 0 at the end of the run.
class Schedule {
 public:
  /// Throws where the settings contradict each other.
  Schedule(const Settings& settings, const Course& course);

  /// Of a step, counted from 0. Never 0.
  double rate(int64_t step) const;
  /// What was given, or an epoch.
  int64_t warmup_steps() const { return warmup_; }

 private:
  double full_;
  bool falls_;
  int64_t warmup_, steps_;
};

}  // namespace train
