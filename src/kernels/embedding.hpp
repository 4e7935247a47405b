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

/// Kernel: out[sequence, row, :] = weight · in[sequence, row, :] + bias (+ positions[row, :])
template <class T>
inline void embed_reals(std::size_t sequence, std::size_t row, std::size_t, const T* in, std::int64_t features,
                        const T* weight, const T* bias, const T* positions, T* out, std::int64_t length,
                        std::int64_t width) {
  const std::int64_t at = sequence * length + row;
  for (std::int64_t c = 0; c < width; ++c) {
    T sum = bias[c];
    for (std::int64_t f = 0; f < features; ++f) sum += weight[c * features + f] * in[at * features + f];
    out[at * width + c] = sum + (positions ? positions[row * width + c] : T(0));
  }
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

/// Kernel: partial[worker] = the gradients of weight [width, features] and bias [width] over the worker's rows.
template <class T>
inline void embed_reals_gradient(std::size_t worker, std::size_t, std::size_t, const T* in, std::int64_t features,
                                 const T* gradient, T* partial, std::int64_t rows, std::int64_t rows_each,
                                 std::int64_t width) {
  T* weight = partial + worker * width * (features + 1);
  T* bias = weight + width * features;
  for (std::int64_t i = 0; i < width * (features + 1); ++i) weight[i] = T(0);
  const std::int64_t first = worker * rows_each, last = first + rows_each < rows ? first + rows_each : rows;
  for (std::int64_t row = first; row < last; ++row)
    for (std::int64_t c = 0; c < width; ++c) {
      const T g = gradient[row * width + c];
      bias[c] += g;
      for (std::int64_t f = 0; f < features; ++f) weight[c * features + f] += g * in[row * features + f];
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
