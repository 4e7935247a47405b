// Fits the parts of a sum to a matrix: starts of several splits race, the best is driven on until a limit or
// convergence.
#pragma once

#include "factorize/fit_options.hpp"

namespace chord {

Factorization factorize(const Splits& splits, const FitOptions& options);

/// Bytes of device memory that factorize() takes.
std::size_t factorize_memory(const Splits& splits, const FitOptions& options);

}  // namespace chord
