// A linear layer over whole sequences, for the head: few rows, many columns.
#pragma once

#include "gelu.hpp"
#include "team_sums.hpp"

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

/// out[row, o] = bias[o] + ⟨weight[o, :], in[row, :]⟩. On GPUs long rows are cut into pieces, whose sums lie in
/// out[piece, row, o]; the first has the bias.
struct dense_forward : InVectors {
  template <class T>
  using gpu = Group;

  template <class T>
  struct Arguments {
    View<const T> in;
    const T *weight, *bias;
    T* out;
    std::int64_t rows, ins, outs;
  };

  /// How many there are.
  template <class Shape>
  CHORD_INLINE static std::int64_t pieces(std::int64_t ins) {
    return is_group<Shape> ? std::int64_t(divide_up(ins, dense_piece)) : 1;
  }

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

  // A team per number; its lanes' sums are added by eight lanes, and theirs by one.
  static constexpr int second_step = 8;

  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int lanes) {
    return divide_up(a.rows * a.outs * pieces<Shape>(a.ins) * team, lanes);
  }

  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>&, int lanes) {
    return local_size<T>(lanes) + local_size<T>(lanes / team * second_step);
  }

  template <class T, class Shape, class G>
  CHORD_INLINE static void run_group(G& g, const Arguments<T>& a) {
    const auto outs = std::uint32_t(a.outs), each = std::uint32_t(a.rows) * outs,
               count = each * std::uint32_t(pieces<Shape>(a.ins));
    const auto first = std::uint32_t(g.index()) * std::uint32_t(g.lanes() / team);
    T* sums = g.template local<T>(g.lanes());
    T* few = g.template local<T>(g.lanes() / team * second_step);
    g.each([&](int lane) CHORD_INLINED {
      const std::uint32_t number = first + std::uint32_t(lane / team);
      if (number >= count) return;
      const std::uint32_t piece = number / each, row = number % each / outs, o = number % outs;
      sums[lane] = piece_sum(a.in.row(row), a.weight + o * a.ins, piece_of(piece, dense_piece, a.ins), lane % team);
    });
    g.each([&](int lane) CHORD_INLINED {
      if (lane % team >= second_step || first + std::uint32_t(lane / team) >= count) return;
      T sum = T(0);
      for (int i = 0; i < team / second_step; ++i) sum += sums[lane + i * second_step];
      few[lane / team * second_step + lane % team] = sum;
    });
    g.each([&](int lane) CHORD_INLINED {
      const std::uint32_t number = first + std::uint32_t(lane / team);
      if (lane % team > 0 || number >= count) return;
      T sum = number < each ? a.bias[number % outs] : T(0);
      for (int i = 0; i < second_step; ++i) sum += few[lane / team * second_step + i];
      a.out[number] = sum;
    });
  }

 private:
  /// A lane's share of ⟨x, w⟩ over some columns.
  template <class T>
  CHORD_INLINE static T piece_sum(const T* x, const T* w, Range columns, int lane) {
    constexpr int Width = 4;
    T sum = T(0);
    std::size_t i = columns.first;
    if (is_aligned<Width>(x) && is_aligned<Width>(w))
      for (; i + team * Width <= columns.last; i += team * Width) {
        const std::size_t at = i + std::size_t(lane) * Width;
        const vector<T, Width> product = load_aligned<Width>(x + at) * load_aligned<Width>(w + at);
        sum += (product[0] + product[1]) + (product[2] + product[3]);
      }
    for (i += std::size_t(lane); i < columns.last; i += team) sum += x[i] * w[i];
    return sum;
  }
};

/// din[row, i] = Σ_o dout[row, o] · weight[o, i] for the columns i of a piece.
struct dense_gradient_input : InVectors {
  template <class T>
  using gpu = FourColumns;

  template <class T>
  struct Arguments {
    const T *dout, *weight;
    View<T> din;
    std::int64_t rows, ins, outs;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.rows), divide_up(a.ins, by_columns<Shape> ? 4 : dense_piece)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return dense_work<T>(a.rows, a.ins, a.outs);
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t piece, const Arguments<T>& a) {
    constexpr int Width = column_lanes<T, Shape>;
    const Range columns = piece_of(piece, dense_piece, a.ins);
    const std::int64_t ins = a.ins, outs = a.outs;
    const T *g = a.dout + row * outs, *weight = a.weight;
    T* d = a.din.row(row);
    if constexpr (by_columns<Shape>) {
      const std::int64_t c = std::int64_t(piece) * 4;
      vector<T, 4> sum = {};
      for (std::int64_t o = 0; o < outs; ++o) sum += g[o] * load_some<4>(weight + o * ins + c, ins - c);
      return store_some<4>(d + c, sum, ins - c);
    }
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
  using gpu = Group;

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
    constexpr int Width = column_lanes<T, Shape>;
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

  // As one more column the last has the bias, whose input is one.
  static constexpr int each = 4;
  using Sums = TeamSums<each, 8>;

  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int lanes) {
    return Sums::groups(a.outs, a.ins + 1, lanes);
  }

  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>&, int lanes) {
    return Sums::local_bytes<T>(lanes);
  }

  template <class T, class Shape, class G>
  CHORD_INLINE static void run_group(G& g, const Arguments<T>& a) {
    Sums::run<T>(
        g, a.outs, a.ins + 1, a.accumulate,
        [&](std::uint32_t o, std::int64_t column, int share) CHORD_INLINED { return sum_of(a, o, column, share); },
        [&](std::uint32_t o, std::int64_t column)
            CHORD_INLINED { return column < a.ins ? a.dweight + o * a.ins + column : a.dbias + o; });
  }

 private:
  /// Four columns of an output, over one share of the rows.
  template <class T>
  CHORD_INLINE static vector<T, each> sum_of(const Arguments<T>& a, std::uint32_t o, std::int64_t column, int share) {
    const Range rows = piece_of(share, divide_up(a.rows, Sums::shares), a.rows);
    const std::int64_t left = a.ins - column;
    vector<T, each> sum = {};
    for (std::size_t b = rows.first; b < rows.last; ++b) {
      const T gradient = a.dout[b * a.outs + o];
      vector<T, each> values = load_some<each>(a.in.row(b) + column, left);
#pragma GCC unroll 4
      for (int i = 0; i < each; ++i)
        if (i == left) values[i] = T(1);
      sum += gradient * values;
    }
    return sum;
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
