// Adam (Kingma and Ba), in PyTorch's form: p −= rate · m / (√v · correction + ε).
#pragma once

#include "vector.hpp"

namespace chord::CHORD_KERNELS {

CHORD_INLINE float square_root(float x) { return __builtin_sqrtf(x); }
CHORD_INLINE double square_root(double x) { return __builtin_sqrt(x); }

/// Kernel: one step for a piece of `length` parameters. `rate` is the learning rate over 1 − β1^step, `correction` is
/// 1 / √(1 − β2^step).
template <class T>
inline void adam(std::size_t, std::size_t piece, std::size_t, T* parameters, const T* gradients, T* first, T* second,
                 std::int64_t count, std::int64_t length, T beta1, T beta2, T rate, T correction, T epsilon) {
  const std::int64_t begin = piece * length, end = begin + length < count ? begin + length : count;
  for (std::int64_t i = begin; i < end; ++i) {
    const T g = gradients[i];
    const T m = first[i] + (g - first[i]) * (T(1) - beta1);
    const T v = second[i] * beta2 + g * g * (T(1) - beta2);
    first[i] = m;
    second[i] = v;
    parameters[i] -= rate * m / (square_root(v) * correction + epsilon);
  }
}

}  // namespace chord::CHORD_KERNELS
