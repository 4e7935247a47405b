// Adam (Kingma and Ba), in PyTorch's form: p = kept · p − rate · m / (√v · correction + ε), where kept is 1, or less
// with a weight decay of its own (AdamW: Loshchilov and Hutter). The gradients may be scaled down to a norm first.
#pragma once

#include "step.hpp"

namespace chord::CHORD_KERNELS {

CHORD_INLINE float square_root(float x) { return __builtin_sqrtf(x); }
CHORD_INLINE double square_root(double x) { return __builtin_sqrt(x); }

/// squares[piece] = Σ g² over a piece of all gradients: the first half of the sum whose root is their norm.
struct square_gradients : Everywhere {
  static constexpr int piece = 4096;

  template <class T>
  struct Arguments {
    const T* gradients;
    T* squares;
    std::int64_t count;
  };

  /// How many sums there are.
  CHORD_INLINE static std::int64_t pieces(std::int64_t count) { return std::int64_t(divide_up(count, piece)); }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(pieces(a.count))};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {2 * double(a.count), double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t index, std::size_t, const Arguments<T>& a) {
    const Range range = piece_of(index, piece, a.count);
    T sum = 0;
    for (std::size_t i = range.first; i < range.last; ++i) sum += a.gradients[i] * a.gradients[i];
    a.squares[index] = sum;
  }
};

/// One step for a piece of the parameters; nothing where the batch had a fault.
struct adam : Everywhere {
  static constexpr int piece = 4096;

  template <class T>
  struct Arguments {
    T* parameters;
    const T* gradients;
    T *m, *v;          ///< the moments
    const T* rates;    ///< those of begin_step
    const T* squares;  ///< those of square_gradients
    Faults faults;
    std::int64_t count, squares_count;  ///< no squares: nothing is clipped
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, divide_up(a.count, piece)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {15 * double(a.count), 7 * double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t index, std::size_t, const Arguments<T>& a) {
    if (a.faults.any()) return;
    const Range range = piece_of(index, piece, a.count);
    const T rate = a.rates[adam_rate], correction = a.rates[adam_correction], epsilon = a.rates[adam_epsilon];
    const T beta2 = a.rates[adam_beta2], decay1 = T(1) - a.rates[adam_beta1], decay2 = T(1) - beta2;
    const T kept = a.rates[adam_kept], scale = scale_of(a);
    for (std::size_t i = range.first; i < range.last; ++i) {
      const T g = a.gradients[i] * scale;
      const T m = a.m[i] + (g - a.m[i]) * decay1;
      const T v = a.v[i] * beta2 + g * g * decay2;
      a.m[i] = m;
      a.v[i] = v;
      a.parameters[i] = a.parameters[i] * kept - rate * m / (square_root(v) * correction + epsilon);
    }
  }

 private:
  /// The other half of the sum, by everyone who needs it, in the same order.
  template <class T>
  CHORD_INLINE static T scale_of(const Arguments<T>& a) {
    if (a.squares_count == 0) return 1;
    T sum = 0;
    for (std::int64_t i = 0; i < a.squares_count; ++i) sum += a.squares[i];
    const T scale = a.rates[adam_clip] / (square_root(sum) + T(1e-6));
    return scale < T(1) ? scale : T(1);
  }
};

}  // namespace chord::CHORD_KERNELS
