#include "schedule.hpp"

#include <cmath>

#include "common/misuse.hpp"

namespace train {
namespace {

int64_t warmup_of(const Settings& settings, const Course& course) {
  if (settings.warmup_steps == 0) return settings.schedule == "warmup" ? course.steps_per_epoch : 0;
  if (settings.schedule == "constant")
    throw program::Misuse("--warmup-steps", "is for --schedule=warmup and --schedule=cosine");
  if (settings.schedule == "cosine" && settings.warmup_steps >= course.steps())
    throw program::Misuse("--warmup-steps", "is " + std::to_string(settings.warmup_steps) + "; the run has only " +
                                                std::to_string(course.steps()) + " steps");
  return settings.warmup_steps;
}

}  // namespace

Schedule::Schedule(const Settings& settings, const Course& course)
    : full_(settings.lr),
      falls_(settings.schedule == "cosine"),
      warmup_(warmup_of(settings, course)),
      steps_(course.steps()) {}

double Schedule::rate(int64_t step) const {
  if (step < warmup_) return full_ * double(step + 1) / double(warmup_);
  if (!falls_) return full_;
  // ½ (1 + cos πx) = sin² ½π(1 − x), which does not vanish before the end.
  constexpr double pi = 3.14159265358979323846;
  const double root = std::sin(pi / 2 * double(steps_ - step) / double(steps_ - warmup_));
  return full_ * root * root;
}

}  // namespace train
