// What is to be done with one input.
#pragma once

#include <chord/chord.hpp>
#include <optional>

#include "job.hpp"
#include "options.hpp"

namespace factorize {

/// All that chord_factorize needs but the callback and the file to keep the result in.
struct Plan {
  chord::Matrix matrix;
  std::optional<chord::Factorization> resumed;
  chord::Pattern pattern;
  chord_factorize_options options;
};

Plan make_plan(chord::Context& context, const Options& options, const Job& job);

/// Says on standard error what is going to be done.
void announce(const Plan& plan, const Job& job, const chord::DeviceInfo& device);

}  // namespace factorize
