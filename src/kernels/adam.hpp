// Adam (Kingma and Ba), in PyTorch's form: p −= rate · m / (√v · correction + ε).
#pragma once

#include "step.hpp"

namespace chord::CHORD_KERNELS {

CHORD_INLINE float square_root(float x) { return __builtin_sqrtf(x); }
CHORD_INLINE double square_root(double x) { return __builtin_sqrt(x); }

/// One step for a piece of the parameters; nothing where the batch had a fault.
struct adam : Everywhere {
  static constexpr int piece = 4096;

  template <class T>
  struct Arguments {
    T* parameters;
    const T* gradients;
    T *m, *v;        ///< the moments
    const T* rates;  ///< those of begin_step
    Faults faults;
    std::int64_t count;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, divide_up(a.count, piece)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {13 * double(a.count), 7 * double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t index, std::size_t, const Arguments<T>& a) {
    if (a.faults.any()) return;
    const Range range = piece_of(index, piece, a.count);
    const T rate = a.rates[adam_rate], correction = a.rates[adam_correction], epsilon = a.rates[adam_epsilon];
    const T beta2 = a.rates[adam_beta2], decay1 = T(1) - a.rates[adam_beta1], decay2 = T(1) - beta2;
    for (std::size_t i = range.first; i < range.last; ++i) {
      const T g = a.gradients[i];
      const T m = a.m[i] + (g - a.m[i]) * decay1;
      const T v = a.v[i] * beta2 + g * g * decay2;
      a.m[i] = m;
      a.v[i] = v;
      a.parameters[i] -= rate * m / (square_root(v) * correction + epsilon);
    }
  }
};

}  // namespace chord::CHORD_KERNELS
