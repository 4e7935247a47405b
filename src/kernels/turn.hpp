// Rows turned over, and back: a vector then holds one column of neighbouring rows, so that what is computed row by row
// needs no sums inside a vector, and any number of columns goes.
#pragma once

#include "vector.hpp"

namespace chord::CHORD_KERNELS {

/// out[i][j] = in[j][i], in steps that processors have: pairs, pairs of pairs, halves.
CHORD_INLINE void transpose(vector<float, 8> (&v)[8]) {
  vector<float, 8> w[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    w[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    w[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 4)
#pragma GCC unroll 2
    for (int k = 0; k < 2; ++k) {
      v[i + 2 * k] = __builtin_shufflevector(w[i + k], w[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      v[i + 2 * k + 1] = __builtin_shufflevector(w[i + k], w[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    w[i] = __builtin_shufflevector(v[i], v[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    w[i + 4] = __builtin_shufflevector(v[i], v[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) v[i] = w[i];
}
CHORD_INLINE void transpose(vector<double, 4> (&v)[4]) {
  vector<double, 4> w[4];
#pragma GCC unroll 2
  for (int i = 0; i < 4; i += 2) {
    w[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 4, 2, 6);
    w[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 5, 3, 7);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    v[i] = __builtin_shufflevector(w[i], w[i + 2], 0, 1, 4, 5);
    v[i + 2] = __builtin_shufflevector(w[i], w[i + 2], 2, 3, 6, 7);
  }
}
CHORD_INLINE void transpose(vector<double, 8> (&v)[8]) {
  vector<double, 8> w[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    w[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    w[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    vector<double, 8> low[2], high[2];
#pragma GCC unroll 2
    for (int k = 0; k < 2; ++k) {
      const vector<double, 8> above = w[i + 4 * k], below = w[i + 4 * k + 2];
      low[k] = __builtin_shufflevector(above, below, 0, 1, 2, 3, 8, 9, 10, 11);
      high[k] = __builtin_shufflevector(above, below, 4, 5, 6, 7, 12, 13, 14, 15);
    }
    v[i] = __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5, 8, 9, 12, 13);
    v[i + 2] = __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7, 10, 11, 14, 15);
    v[i + 4] = __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5, 8, 9, 12, 13);
    v[i + 6] = __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7, 10, 11, 14, 15);
  }
}
CHORD_INLINE void transpose(vector<float, 1> (&)[1]) {}
CHORD_INLINE void transpose(vector<double, 1> (&)[1]) {}

/// to[c, t] (+)= from[t, c] for Width rows t and columns c.
template <class T, int Width>
CHORD_INLINE void turn_block(const T* from, std::int64_t from_stride, T* to, std::int64_t to_stride, bool accumulate) {
  vector<T, Width> block[Width];
#pragma GCC unroll 8
  for (int i = 0; i < Width; ++i) block[i] = load<Width>(from + i * from_stride);
  transpose(block);
#pragma GCC unroll 8
  for (int i = 0; i < Width; ++i) {
    T* target = to + i * to_stride;
    store<Width>(target, accumulate ? load<Width>(target) + block[i] : block[i]);
  }
}

/// to[c, t] (+)= from[t, c] for t < rows and c < columns. What is left over of whole blocks goes in one that begins
/// earlier, or one by one where that would count values twice.
template <class T, int Width>
CHORD_OUTLINE void turn(const T* from, std::int64_t from_stride, int rows, int columns, T* to, std::int64_t to_stride,
                        bool accumulate) {
  const bool again = !accumulate && rows >= Width && columns >= Width;
  const int block_rows = again ? rows : rows - rows % Width,
            block_columns = again ? columns : columns - columns % Width;
  const auto begin = [](int at, int count) { return at + Width <= count ? at : count - Width; };
  for (int t = 0; t < block_rows; t += Width)
    for (int c = 0; c < block_columns; c += Width) {
      const int row = begin(t, rows), column = begin(c, columns);
      turn_block<T, Width>(from + row * from_stride + column, from_stride, to + column * to_stride + row, to_stride,
                           accumulate);
    }
  for (int t = 0; t < rows; ++t)
    for (int c = t < block_rows ? block_columns : 0; c < columns; ++c) {
      T& target = to[c * to_stride + t];
      target = accumulate ? target + from[t * from_stride + c] : from[t * from_stride + c];
    }
}

}  // namespace chord::CHORD_KERNELS
