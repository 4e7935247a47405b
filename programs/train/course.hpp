// How a run is divided: its steps into epochs, and into stretches, each of which ends with a validation. A stretch is
// an epoch, or so many steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace train {

struct Course {
  int64_t steps_per_epoch, epochs;
  int64_t validate_every;  ///< steps; 0: an epoch

  int64_t steps() const { return epochs * steps_per_epoch; }

  /// Validations are numbered by what was done before them: epochs or steps.
  bool by_steps() const { return validate_every > 0; }
  std::string unit() const { return by_steps() ? "step" : "epoch"; }
  int64_t last() const { return by_steps() ? steps() : epochs; }
  /// The number that follows; 0 is the beginning.
  int64_t next(int64_t number) const {
    return by_steps() ? std::min((number / validate_every + 1) * validate_every, steps()) : number + 1;
  }
  /// How many follow.
  int64_t left(int64_t number) const {
    return by_steps() ? (steps() + validate_every - 1) / validate_every - number / validate_every : epochs - number;
  }
  /// The steps that were done then.
  int64_t steps_at(int64_t number) const { return by_steps() ? number : number * steps_per_epoch; }
  /// "epoch 3 of 20"
  std::string name(int64_t number) const {
    return unit() + " " + std::to_string(number) + " of " + std::to_string(last());
  }
};

}  // namespace train
