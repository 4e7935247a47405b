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
  using gpu = FourColumns;

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
    if (by_columns<Shape>) return {1, a.count > 0 ? divide_up(a.place % 4 + a.count, 4) : 0};
    return {1, divide_up(a.count, piece)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {double(a.count), 2 * double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t index, std::size_t, const Arguments<T>& a) {
    if constexpr (by_columns<Shape>)
      run_four((a.place / 4 + std::int64_t(index)) * 4, a);
    else
      run_piece(a.place + std::int64_t(index) * piece, a);
  }

 private:
  static constexpr int each = 8;   ///< values served by one call of philox
  static constexpr int many = 32;  ///< calls of a CPU at once

  template <class T>
  CHORD_INLINE static void run_piece(std::int64_t first, const Arguments<T>& a) {
    const std::int64_t end = a.place + a.count, last = first + piece < end ? first + piece : end;
    std::int64_t block = first / each;
    if (block * each < first) drop_block(block++, first, last, a);
    for (; (block + many) * each <= last; block += many) drop_many(block, a);
    for (; block * each < last; ++block) drop_block(block, first, last, a);
  }

  /// Those of a block that lie between first and last.
  template <class T>
  CHORD_INLINE static void drop_block(std::int64_t block, std::int64_t first, std::int64_t last,
                                      const Arguments<T>& a) {
    const std::int64_t step = *a.step;
    std::uint32_t bits[4] = {std::uint32_t(block), std::uint32_t(block >> 32), std::uint32_t(step),
                             std::uint32_t(step >> 32) ^ (std::uint32_t(a.layer) << 16)};
    philox(bits, std::uint32_t(a.seed), std::uint32_t(a.seed >> 32));
    T factor[each];
#pragma GCC unroll 8
    for (int i = 0; i < each; ++i)
      factor[i] = std::int32_t(bits[i / 2] >> (i % 2 * 16) & 0xFFFF) >= a.threshold ? a.scale : T(0);
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

  /// All of `many` blocks.
  template <class T>
  CHORD_INLINE static void drop_many(std::int64_t block, const Arguments<T>& a) {
    const std::int64_t step = *a.step;
    std::uint32_t bits[4][many];
    for (int i = 0; i < many; ++i) {
      bits[0][i] = std::uint32_t(block + i);
      bits[1][i] = std::uint32_t((block + i) >> 32);
      bits[2][i] = std::uint32_t(step);
      bits[3][i] = std::uint32_t(step >> 32) ^ (std::uint32_t(a.layer) << 16);
    }
    philox_of_many(bits, std::uint32_t(a.seed), std::uint32_t(a.seed >> 32));
    drop_drawn(bits, a.threshold, a.scale, a.x + (block * each - a.place));
  }

  template <class T>
  CHORD_OUTLINE static void drop_drawn(const std::uint32_t (&bits)[4][many], std::int32_t threshold, T scale,
                                       T* values) {
    std::int32_t drawn[many * each];
    for (int i = 0; i < many; ++i)
#pragma GCC unroll 4
      for (int word = 0; word < 4; ++word) {
        drawn[i * each + 2 * word] = std::int32_t(bits[word][i] & 0xFFFF);
        drawn[i * each + 2 * word + 1] = std::int32_t(bits[word][i] >> 16);
      }
    for (int i = 0; i < many * each; ++i) values[i] *= drawn[i] >= threshold ? scale : T(0);
  }

  /// Four values of the batch, those of them that there are. Half of what is drawn is not used, but lanes lie side by
  /// side.
  template <class T>
  CHORD_INLINE static void run_four(std::int64_t first, const Arguments<T>& a) {
    const std::int64_t block = first / each;
    std::uint32_t bits[4] = {std::uint32_t(block), std::uint32_t(block >> 32), std::uint32_t(*a.step),
                             std::uint32_t(*a.step >> 32) ^ (std::uint32_t(a.layer) << 16)};
    philox(bits, std::uint32_t(a.seed), std::uint32_t(a.seed >> 32));
    const bool second = first % each != 0;
    const std::uint32_t low = second ? bits[2] : bits[0], high = second ? bits[3] : bits[1];
    const auto factor = [&](std::uint32_t drawn) { return std::int32_t(drawn) >= a.threshold ? a.scale : T(0); };
    const vector<T, 4> factors = {factor(low & 0xFFFF), factor(low >> 16), factor(high & 0xFFFF), factor(high >> 16)};
    T* values = a.x + (first - a.place);
    const std::int64_t before = a.place - first, left = before + a.count;
    if (before <= 0 && left >= 4 && is_aligned<4>(values))
      return store_aligned<4>(values, load_aligned<4>(values) * factors);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
      if (i >= before && i < left) values[i] *= factors[i];
  }
};

}  // namespace chord::CHORD_KERNELS
