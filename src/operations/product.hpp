// The Chord product of one factor and its gradients. w is [N, links] (one factor for the whole batch) or
// [batch, N, links]; v, z and their gradients are [N, D] or [batch, N, D].
#pragma once

#include "operations/pattern.hpp"

namespace chord {

/// z (+)= W v
void product(const Pattern& pattern, const Tensor& w, const Tensor& v, const Tensor& z, bool accumulate);

/// dv (+)= Wᵀ dz: the gradient with respect to the values.
void product_gradient_values(const Pattern& pattern, const Tensor& w, const Tensor& dz, const Tensor& dv,
                             bool accumulate);

/// dw (+)= the gradient with respect to the weights; summed over the batch where dw has none.
void product_gradient_weights(const Pattern& pattern, const Tensor& dz, const Tensor& v, const Tensor& dw,
                              bool accumulate);

}  // namespace chord
