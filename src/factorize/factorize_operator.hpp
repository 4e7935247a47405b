// Fits the parts of a sum to an operator: splits race, the best goes on until a limit or convergence.
#pragma once

#include "factorize/fit_options.hpp"
#include "matrix/operator.hpp"

namespace chord {

/// The constraint is none, there are no single entries, and the splits have no matrix.
Factorization factorize_operator(const Operator& x, const Splits& splits, const FitOptions& options);

/// Bytes of memory that it takes, the operator's own left out.
std::size_t factorize_operator_memory(const Splits& splits, const FitOptions& options);

}  // namespace chord
