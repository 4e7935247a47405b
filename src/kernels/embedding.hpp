// The first layer: a row per token, or a linear map of a few reals; plus a row per position, where they are learned.
#pragma once

#include "vector.hpp"

namespace chord::CHORD_KERNELS {

/// Kernel: out[sequence, row, :] = table[token, :] (+ positions[row, :])
template <class T>
inline void embed_tokens(std::size_t sequence, std::size_t row, std::size_t, const std::int32_t* tokens, const T* table,
                         const T* positions, T* out, std::int64_t length, std::int64_t width) {
  const std::int64_t at = sequence * length + row;
  const T* source = table + tokens[at] * width;
  for (std::int64_t c = 0; c < width; ++c)
    out[at * width + c] = source[c] + (positions ? positions[row * width + c] : T(0));
}

/// Kernel: out[row, :] = weight · in[row, :] + bias (+ positions[row mod length, :]) for a piece of rows. One column of
/// the weight is done for all of them, then the next: vectors of outputs, and nothing is read across.
template <class T, int Width>
inline void embed_reals(std::size_t, std::size_t piece, std::size_t, const T* in, std::int64_t features,
                        const T* weight, const T* bias, const T* positions, T* out, std::int64_t rows,
                        std::int64_t piece_rows, std::int64_t length, std::int64_t width) {
  const std::int64_t first = piece * piece_rows, last = first + piece_rows < rows ? first + piece_rows : rows;
  for (std::int64_t row = first; row < last; ++row) {
    const T* position = positions ? positions + row % length * width : nullptr;
    for (std::int64_t c = 0; c < width; ++c) out[row * width + c] = position ? bias[c] + position[c] : bias[c];
  }
  std::int64_t c = 0;
  for (; c + Width <= width; c += Width)
    for (std::int64_t f = 0; f < features; ++f) {
      vector<T, Width> column;
#pragma GCC unroll 8
      for (int i = 0; i < Width; ++i) column[i] = weight[(c + i) * features + f];
      for (std::int64_t row = first; row < last; ++row)
        store<Width>(out + row * width + c, load<Width>(out + row * width + c) + in[row * features + f] * column);
    }
  for (; c < width; ++c)
    for (std::int64_t row = first; row < last; ++row)
      for (std::int64_t f = 0; f < features; ++f)
        out[row * width + c] += weight[c * features + f] * in[row * features + f];
}

/// Kernel: partial[worker, token, :] = Σ gradient[row, :] over the worker's rows with that token; none for `padding`.
template <class T>
inline void embed_tokens_gradient(std::size_t worker, std::size_t, std::size_t, const std::int32_t* tokens,
                                  const T* gradient, T* partial, std::int64_t rows, std::int64_t rows_each,
                                  std::int64_t vocabulary, std::int64_t width, std::int64_t padding) {
  T* mine = partial + worker * vocabulary * width;
  for (std::int64_t i = 0; i < vocabulary * width; ++i) mine[i] = T(0);
  const std::int64_t first = worker * rows_each, last = first + rows_each < rows ? first + rows_each : rows;
  for (std::int64_t row = first; row < last; ++row) {
    if (tokens[row] == padding) continue;
    T* sum = mine + tokens[row] * width;
    for (std::int64_t c = 0; c < width; ++c) sum[c] += gradient[row * width + c];
  }
}

/// Σ_row factor[row] · gradient[row, c…] over some rows; without factors, Σ_row gradient[row, c…].
template <class T, int Width>
CHORD_INLINE vector<T, Width> column_sum(const T* gradient, std::int64_t width, const T* factor, std::int64_t features,
                                         std::int64_t rows) {
  vector<T, Width> sum = {};
  for (std::int64_t row = 0; row < rows; ++row)
    sum += factor ? factor[row * features] * load<Width>(gradient + row * width) : load<Width>(gradient + row * width);
  return sum;
}

/// Kernel: partial[worker] = the gradients of weight [width, features] and bias [width] over the worker's rows.
template <class T, int Width>
inline void embed_reals_gradient(std::size_t worker, std::size_t, std::size_t, const T* in, std::int64_t features,
                                 const T* gradient, T* partial, std::int64_t rows, std::int64_t rows_each,
                                 std::int64_t width) {
  T* weight = partial + worker * width * (features + 1);
  T* bias = weight + width * features;
  const std::int64_t first = worker * rows_each, count = first + rows_each < rows ? rows_each : rows - first;
  const T* mine = gradient + first * width;
  const T* inputs = in + first * features;
  std::int64_t c = 0;
  for (; c + Width <= width; c += Width) {
    store<Width>(bias + c, column_sum<T, Width>(mine + c, width, nullptr, 0, count));
    for (std::int64_t f = 0; f < features; ++f) {
      const vector<T, Width> sum = column_sum<T, Width>(mine + c, width, inputs + f, features, count);
#pragma GCC unroll 8
      for (int i = 0; i < Width; ++i) weight[(c + i) * features + f] = sum[i];
    }
  }
  for (; c < width; ++c) {
    bias[c] = column_sum<T, 1>(mine + c, width, nullptr, 0, count)[0];
    for (std::int64_t f = 0; f < features; ++f)
      weight[c * features + f] = column_sum<T, 1>(mine + c, width, inputs + f, features, count)[0];
  }
}

/// Kernel: out[row, :] (+)= Σ_sequences gradient[sequence, row, :]
template <class T>
inline void positions_gradient(std::size_t, std::size_t row, std::size_t, const T* gradient, std::int64_t sequences,
                               std::int64_t length, std::int64_t width, T* out, std::int32_t accumulate) {
  T* sum = out + row * width;
  if (!accumulate)
    for (std::int64_t c = 0; c < width; ++c) sum[c] = T(0);
  for (std::int64_t b = 0; b < sequences; ++b)
    for (std::int64_t c = 0; c < width; ++c) sum[c] += gradient[(b * length + row) * width + c];
}

}  // namespace chord::CHORD_KERNELS
