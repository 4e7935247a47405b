// A linear layer over whole sequences, for the head: few rows, many columns.
#pragma once

#include "gelu.hpp"
#include "vector.hpp"

namespace chord::CHORD_KERNELS {

/// Kernel: out[row, o] = bias[o] + ⟨weight[o, :], in[row, :]⟩
template <class T, int Width>
inline void dense_forward(std::size_t, std::size_t row, std::size_t o, const T* in, std::int64_t in_row,
                          std::int64_t ins, const T* weight, const T* bias, T* out, std::int64_t outs) {
  constexpr int together = 4;
  const T* x = in + row * in_row;
  const T* w = weight + o * ins;
  vector<T, Width> sum[together] = {};
  std::int64_t i = 0;
  for (; i + together * Width <= ins; i += together * Width)
#pragma GCC unroll 4
    for (int k = 0; k < together; ++k) sum[k] += load<Width>(x + i + k * Width) * load<Width>(w + i + k * Width);
  const vector<T, Width> all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  T result = bias[o];
#pragma GCC unroll 8
  for (int k = 0; k < Width; ++k) result += all[k];
  for (; i < ins; ++i) result += x[i] * w[i];
  out[row * outs + o] = result;
}

/// Kernel: din[row, i] = Σ_o dout[row, o] · weight[o, i] for the columns i of a piece.
template <class T, int Width>
inline void dense_gradient_input(std::size_t, std::size_t row, std::size_t piece, const T* dout, std::int64_t outs,
                                 const T* weight, std::int64_t ins, std::int64_t piece_columns, T* din,
                                 std::int64_t din_row) {
  const std::int64_t first = piece * piece_columns, last = first + piece_columns < ins ? first + piece_columns : ins;
  const T* g = dout + row * outs;
  T* d = din + row * din_row;
  std::int64_t i = first;
  for (; i + Width <= last; i += Width) {
    vector<T, Width> sum = {};
    for (std::int64_t o = 0; o < outs; ++o) sum += g[o] * load<Width>(weight + o * ins + i);
    store<Width>(d + i, sum);
  }
  for (; i < last; ++i) {
    T sum = T(0);
    for (std::int64_t o = 0; o < outs; ++o) sum += g[o] * weight[o * ins + i];
    d[i] = sum;
  }
}

/// Kernel: dweight[o, i] (+)= Σ_rows dout[row, o] · in[row, i] for the columns i of a piece; the first one also does
/// dbias[o] (+)= Σ_rows dout[row, o].
template <class T, int Width>
inline void dense_gradient_weights(std::size_t, std::size_t o, std::size_t piece, const T* dout, std::int64_t outs,
                                   const T* in, std::int64_t in_row, std::int64_t rows, std::int64_t ins,
                                   std::int64_t piece_columns, T* dweight, T* dbias, std::int32_t accumulate) {
  const std::int64_t first = piece * piece_columns, last = first + piece_columns < ins ? first + piece_columns : ins;
  T* d = dweight + o * ins;
  std::int64_t i = first;
  for (; i + Width <= last; i += Width) {
    vector<T, Width> sum = {};
    if (accumulate) sum = load<Width>(d + i);
    for (std::int64_t b = 0; b < rows; ++b) sum += dout[b * outs + o] * load<Width>(in + b * in_row + i);
    store<Width>(d + i, sum);
  }
  for (; i < last; ++i) {
    T sum = accumulate ? d[i] : T(0);
    for (std::int64_t b = 0; b < rows; ++b) sum += dout[b * outs + o] * in[b * in_row + i];
    d[i] = sum;
  }
  if (piece > 0) return;
  T sum = accumulate ? dbias[o] : T(0);
  for (std::int64_t b = 0; b < rows; ++b) sum += dout[b * outs + o];
  dbias[o] = sum;
}

/// Kernel: out[i] = gelu(in[i])
template <class T>
inline void gelu_values(std::size_t, std::size_t i, std::size_t, const T* in, T* out) {
  store<1>(out + i, gelu<T, 1>(load<1>(in + i)));
}

/// Kernel: gradient[i] *= gelu'(in[i])
template <class T>
inline void gelu_gradient(std::size_t, std::size_t i, std::size_t, const T* in, T* gradient) {
  vector<T, 1> slope;
  gelu_with_slope<T, 1>(load<1>(in + i), slope);
  store<1>(gradient + i, load<1>(gradient + i) * slope);
}

}  // namespace chord::CHORD_KERNELS
