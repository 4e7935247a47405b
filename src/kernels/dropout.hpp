// Dropout by counter: whether a value is kept depends on the seed, the step, the layer and the value's place in the
// batch alone, so the backward pass finds the same ones again, and so does a batch that is cut into pieces.
#pragma once

#include "philox.hpp"
#include "vector.hpp"

namespace chord::CHORD_KERNELS {

/// Kernel: x[i] *= kept ? scale : 0 for the values of a piece of `length`; `place` is the first value's in the
/// batch. A value is kept where its 16 random bits are at least `threshold`.
template <class T>
inline void dropout(std::size_t, std::size_t piece, std::size_t, T* x, std::int64_t count, std::int64_t length,
                    std::int64_t place, std::int64_t seed, std::int64_t step, std::int32_t layer,
                    std::int32_t threshold, T scale) {
  constexpr int each = 8;  // values served by one call of philox
  const std::int64_t first = place + piece * length;
  const std::int64_t last = first + length < place + count ? first + length : place + count;
  for (std::int64_t block = first / each; block * each < last; ++block) {
    std::uint32_t bits[4] = {std::uint32_t(block), std::uint32_t(block >> 32), std::uint32_t(step),
                             std::uint32_t(step >> 32) ^ (std::uint32_t(layer) << 16)};
    philox(bits, std::uint32_t(seed), std::uint32_t(seed >> 32));
    T factor[each];
#pragma GCC unroll 8
    for (int i = 0; i < each; ++i)
      factor[i] = std::int32_t(bits[i / 2] >> (i % 2 * 16) & 0xFFFF) >= threshold ? scale : T(0);
    // What is drawn is as good as random: a branch for each value would cost more than the drawing.
    T* values = x + (block * each - place);
    if (block * each >= first && (block + 1) * each <= last) {
#pragma GCC unroll 8
      for (int i = 0; i < each; ++i) values[i] *= factor[i];
    } else {
      for (int i = 0; i < each; ++i)
        if (block * each + i >= first && block * each + i < last) values[i] *= factor[i];
    }
  }
}

}  // namespace chord::CHORD_KERNELS
