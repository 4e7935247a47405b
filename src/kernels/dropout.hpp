// Dropout by counter: whether a value is kept depends on the seed, the step, the layer and the value's place in the
// batch alone, so the backward pass finds the same ones again, and so does a batch that is cut into pieces.
#pragma once

#include "operation.hpp"
#include "philox.hpp"

namespace chord::CHORD_KERNELS {

/// x[i] *= kept ? scale : 0 for the values of a piece. A value is kept where its 16 random bits are at least
/// `threshold`.
struct dropout {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Block<8, 1, 1>;  // what one call of philox is enough for

  static constexpr int piece = 4096;

  template <class T>
  struct Arguments {
    T* x;
    std::int64_t count;
    std::int64_t place;  ///< of the first value in the batch
    std::int64_t seed;
    const std::int64_t* step;
    std::int32_t layer, threshold;
    T scale;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    if (Shape::width > 1) return {1, a.count > 0 ? divide_up(a.place % Shape::width + a.count, Shape::width) : 0};
    return {1, divide_up(a.count, piece)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {double(a.count), 2 * double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t index, std::size_t, const Arguments<T>& a) {
    constexpr int each = 8;  // values served by one call of philox
    std::int64_t first = a.place + std::int64_t(index) * piece, end = a.place + a.count, last = first + piece;
    if constexpr (Shape::width > 1) {
      const std::int64_t begin = (a.place / each + std::int64_t(index)) * each;
      first = begin > a.place ? begin : a.place;
      last = begin + each;
    }
    last = last < end ? last : end;
    const std::uint32_t step = std::uint32_t(*a.step), high = std::uint32_t(*a.step >> 32);
    const std::uint32_t key = std::uint32_t(a.seed), key_high = std::uint32_t(a.seed >> 32);
    const std::int32_t threshold = a.threshold;
    const T scale = a.scale;
    for (std::int64_t block = first / each; block * each < last; ++block) {
      std::uint32_t bits[4] = {std::uint32_t(block), std::uint32_t(block >> 32), step,
                               high ^ (std::uint32_t(a.layer) << 16)};
      philox(bits, key, key_high);
      T factor[each];
#pragma GCC unroll 8
      for (int i = 0; i < each; ++i)
        factor[i] = std::int32_t(bits[i / 2] >> (i % 2 * 16) & 0xFFFF) >= threshold ? scale : T(0);
      // What is drawn is as good as random: a branch for each value would cost more than the drawing.
      T* values = a.x + (block * each - a.place);
      if (block * each >= first && (block + 1) * each <= last) {
#pragma GCC unroll 8
        for (int i = 0; i < each; ++i) values[i] *= factor[i];
      } else {
        for (int i = 0; i < each; ++i)
          if (block * each + i >= first && block * each + i < last) values[i] *= factor[i];
      }
    }
  }
};

}  // namespace chord::CHORD_KERNELS
