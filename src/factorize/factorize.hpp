// Fits factors to a matrix: several starts race, the best is driven on until a limit or convergence.
#pragma once

#include "factorize/fit_options.hpp"

namespace chord {

Factorization factorize(const FitProblem& problem, const FitOptions& options);

/// Bytes of device memory that factorize() takes.
std::size_t factorize_memory(const FitProblem& problem, const FitOptions& options);

}  // namespace chord
