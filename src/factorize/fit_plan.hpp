// How one evaluation of a fit's objective is spread over a device.
#pragma once

#include "factorize/problem.hpp"

namespace chord {

/// Panels of columns, taken in turn by workers.
struct FitPlan {
  bool fused;  ///< a worker takes a panel through all steps in one launch; otherwise one launch a step
  std::int64_t panel, workers;
};

FitPlan plan_fit(const FitProblem& problem, std::size_t element_bytes);

/// How many sets of parameters are worth evaluating together, of so many that there are.
std::int64_t sets_together(const FitProblem& problem, std::size_t element_bytes, std::int64_t most);

/// Memory for the values of one worker, in bytes.
std::int64_t scratch_of_worker(const FitProblem& problem, const FitPlan& plan, std::size_t element_bytes);

}  // namespace chord
