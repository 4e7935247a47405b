// Fits factors to a matrix: several starts race, the best is driven on until a limit or convergence.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "factorize/factorization.hpp"
#include "factorize/objective.hpp"

namespace chord {

struct FitProgress {
  std::int32_t start, starts;
  std::int64_t iteration;
  double error, best_error, relative_error, gradient, seconds;
};

/// As in chord.h; zeros have been replaced by what they mean, infinity by what is not limited.
struct FitOptions {
  DataType type = DataType::float64;
  std::int64_t starts = 0;
  std::uint64_t seed = 0;
  std::int64_t iterations = 0;
  double seconds = 0;
  double gradient_tolerance = 0, improvement_tolerance = 0;
  const Factorization* resume = nullptr;
  std::string checkpoint;
  double checkpoint_seconds = 0;
  std::function<bool(const FitProgress&)> callback;  ///< true cancels
  double callback_seconds = 0;
};

Factorization factorize(const FitProblem& problem, const FitOptions& options);

/// Bytes of device memory that factorize() takes.
std::size_t factorize_memory(const FitProblem& problem, const FitOptions& options);

}  // namespace chord
