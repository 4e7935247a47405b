// Factors of a product can be scaled against each other without changing it: all are given the same norm.
#pragma once

#include "operations/tensor.hpp"

namespace chord {

/// Multiplies each factor of weights [factors, N, L] such that their norms become equal and their product is multiplied
/// by scale^factors. A product that is 0 stays so.
template <class T>
void spread_scale(const Tensor& weights, double scale);

}  // namespace chord
