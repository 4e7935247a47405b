// Steps of a walk on a panel of columns inside one kernel, for devices whose cache holds a panel (CPUs): launching
// factor by factor would pass all values through memory once per factor, and on short sequences cost more in launches
// than in arithmetic.
#pragma once

#include "product.hpp"
#include "walk.hpp"

namespace chord::CHORD_KERNELS {

/// The part of an executor that computes; where values lie is for those to say who derive from it.
template <class T>
struct PanelSteps {
  Links links;
  View<const T> w;  ///< the factors, of this sequence
  View<T> dw;       ///< their gradients
  bool accumulate_dw;
  std::size_t width;

  CHORD_INLINE Range rows() const { return {0, std::size_t(links.n)}; }

  CHORD_INLINE void product(int, int, Step step, View<const T> in, View<T> out, View<const T> add) const {
    using Blocks = typename chord::CHORD_KERNELS::product::template cpu<T>::blocks;
    const Gather<T> gather{links, w.factor(step.factor), in, out, add};
    if (step.transposed)
      gather_tile<T, true>(Blocks(), rows(), {0, width}, gather);
    else
      gather_tile<T, false>(Blocks(), rows(), {0, width}, gather);
  }

  // The weight w[i,k] of Wᵀ takes x[i] to place i + o_k: its gradient is ⟨x[i], adjoint[i+o_k]⟩, the one of W with the
  // two exchanged.
  CHORD_INLINE void gradient_weights(int, int, Step step, View<const T> adjoint, View<const T> input) const {
    using Blocks = typename product_gradient_weights::template cpu<T>::blocks;
    dot_tile(Blocks(), rows(),
             Dots<T>{links, step.transposed ? input : adjoint, step.transposed ? adjoint : input,
                     dw.factor(step.factor), width, accumulate_dw});
  }

  CHORD_INLINE void add(View<const T> from, View<T> to, bool accumulate) const {
    // Rows that follow each other are one long one: short loops cost more than what they do.
    const bool together = std::size_t(from.row_stride) == width && std::size_t(to.row_stride) == width;
    const std::size_t rows = together ? 1 : std::size_t(links.n), count = together ? links.n * width : width;
    for (std::size_t i = 0; i < rows; ++i) {
      const T* source = from.row(i);
      T* target = to.row(i);
      if (accumulate)
        for (std::size_t c = 0; c < count; ++c) target[c] += source[c];
      else
        for (std::size_t c = 0; c < count; ++c) target[c] = source[c];
    }
  }
};

/// a = scale·(a + b), for `width` columns
template <class T>
CHORD_INLINE void scaled_sum(std::size_t rows, std::size_t width, T scale, View<T> a, View<const T> b) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < width; ++c) a.row(i)[c] = scale * (a.row(i)[c] + b.row(i)[c]);
}

}  // namespace chord::CHORD_KERNELS
