// A linear layer over whole sequences, for the head: few rows, many columns.
#pragma once

#include "gelu.hpp"
#include "operation.hpp"

namespace chord::CHORD_KERNELS {

/// For kernels that run along rows in vectors.
struct InVectors {
  using types = Reals;
  template <class T>
  using cpu = Block<cpu_lanes<T>, 1, 1>;
  template <class T>
  using gpu = Scalar;
};

/// The work of a layer for some rows, one way.
template <class T>
CHORD_INLINE Work dense_work(std::int64_t rows, std::int64_t ins, std::int64_t outs) {
  return {2 * double(rows) * double(ins) * double(outs),
          (double(ins) * double(outs) + double(rows) * double(ins + outs)) * sizeof(T)};
}

/// Columns of a long row that a lane takes.
inline constexpr int dense_piece = 1024;

/// out[row, o] = bias[o] + ⟨weight[o, :], in[row, :]⟩
struct dense_forward : InVectors {
  template <class T>
  struct Arguments {
    View<const T> in;
    const T *weight, *bias;
    T* out;
    std::int64_t rows, ins, outs;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.rows), std::size_t(a.outs)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return dense_work<T>(a.rows, a.ins, a.outs);
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t o, const Arguments<T>& a) {
    constexpr int Width = Shape::width, together = 4;
    const T* x = a.in.row(row);
    const T* w = a.weight + o * a.ins;
    vector<T, Width> sum[together] = {};
    std::int64_t i = 0;
    for (; i + together * Width <= a.ins; i += together * Width)
#pragma GCC unroll 4
      for (int k = 0; k < together; ++k) sum[k] += load<Width>(x + i + k * Width) * load<Width>(w + i + k * Width);
    const vector<T, Width> all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    T result = a.bias[o];
#pragma GCC unroll 8
    for (int k = 0; k < Width; ++k) result += all[k];
    for (; i < a.ins; ++i) result += x[i] * w[i];
    a.out[row * a.outs + o] = result;
  }
};

/// din[row, i] = Σ_o dout[row, o] · weight[o, i] for the columns i of a piece.
struct dense_gradient_input : InVectors {
  template <class T>
  struct Arguments {
    const T *dout, *weight;
    View<T> din;
    std::int64_t rows, ins, outs;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.rows), divide_up(a.ins, dense_piece)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return dense_work<T>(a.rows, a.ins, a.outs);
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t piece, const Arguments<T>& a) {
    constexpr int Width = Shape::width;
    const Range columns = piece_of(piece, dense_piece, a.ins);
    const std::int64_t ins = a.ins, outs = a.outs;
    const T *g = a.dout + row * outs, *weight = a.weight;
    T* d = a.din.row(row);
    std::size_t i = columns.first;
    for (; i + Width <= columns.last; i += Width) {
      vector<T, Width> sum = {};
      for (std::int64_t o = 0; o < outs; ++o) sum += g[o] * load<Width>(weight + o * ins + i);
      store<Width>(d + i, sum);
    }
    for (; i < columns.last; ++i) {
      T sum = T(0);
      for (std::int64_t o = 0; o < outs; ++o) sum += g[o] * weight[o * ins + i];
      d[i] = sum;
    }
  }
};

/// dweight[o, i] (+)= Σ_rows dout[row, o] · in[row, i] for the columns i of a piece; the first one also does
/// dbias[o] (+)= Σ_rows dout[row, o].
struct dense_gradient_weights : InVectors {
  template <class T>
  struct Arguments {
    const T* dout;
    View<const T> in;
    T *dweight, *dbias;
    std::int64_t rows, ins, outs;
    std::int32_t accumulate;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.outs), divide_up(a.ins, dense_piece)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return dense_work<T>(a.rows, a.ins, a.outs);
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t o, std::size_t piece, const Arguments<T>& a) {
    constexpr int Width = Shape::width;
    const Range columns = piece_of(piece, dense_piece, a.ins);
    const std::int64_t rows = a.rows, outs = a.outs;
    const View<const T> in = a.in;
    const T* dout = a.dout + o;
    T* d = a.dweight + o * a.ins;
    std::size_t i = columns.first;
    for (; i + Width <= columns.last; i += Width) {
      vector<T, Width> sum = {};
      if (a.accumulate) sum = load<Width>(d + i);
      for (std::int64_t b = 0; b < rows; ++b) sum += dout[b * outs] * load<Width>(in.row(b) + i);
      store<Width>(d + i, sum);
    }
    for (; i < columns.last; ++i) {
      T sum = a.accumulate ? d[i] : T(0);
      for (std::int64_t b = 0; b < rows; ++b) sum += dout[b * outs] * in.row(b)[i];
      d[i] = sum;
    }
    if (piece > 0) return;
    T sum = a.accumulate ? a.dbias[o] : T(0);
    for (std::int64_t b = 0; b < rows; ++b) sum += dout[b * outs];
    a.dbias[o] = sum;
  }
};

/// out[i] = gelu(in[i])
struct gelu_forward : Everywhere {
  template <class T>
  struct Arguments {
    const T* in;
    T* out;
    std::int64_t count;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.count)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {gelu_flop<T> * double(a.count), 2 * double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t i, std::size_t, const Arguments<T>& a) {
    store<1>(a.out + i, gelu<T, 1>(load<1>(a.in + i)));
  }
};

/// gradient[i] *= gelu'(in[i])
struct gelu_backward : Everywhere {
  template <class T>
  struct Arguments {
    const T* in;
    T* gradient;
    std::int64_t count;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.count)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {gelu_flop<T> * double(a.count), 3 * double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t i, std::size_t, const Arguments<T>& a) {
    vector<T, 1> slope;
    gelu_with_slope<T, 1>(load<1>(a.in + i), slope);
    store<1>(a.gradient + i, load<1>(a.gradient + i) * slope);
  }
};

}  // namespace chord::CHORD_KERNELS
