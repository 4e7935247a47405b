// Layers on a tile of rows that is turned over, on CPUs: products with a matrix in blocks of registers, GELU, and the
// sums over rows that gradients of parameters are.
#pragma once

#include "gelu.hpp"
#include "operation.hpp"
#include "turn.hpp"

namespace chord::CHORD_KERNELS {

/// tile[c, t] = rows[t, c] for the rows there are, zero for the rest.
template <class T, int Width, int Tile>
CHORD_INLINE void load_tile(const T* rows, int valid, int columns, T* tile) {
  turn<T, Width>(rows, columns, valid, columns, tile, Tile, false);
  for (int c = 0; c < columns; ++c)
    for (int t = valid; t < Tile; ++t) tile[c * Tile + t] = T(0);
}

/// rows[t, c] (+)= tile[c, t]
template <class T, int Width, int Tile>
CHORD_INLINE void store_tile(const T* tile, int valid, int columns, T* rows, bool accumulate) {
  turn<T, Width>(tile, Tile, columns, valid, rows, columns, accumulate);
}

/// The block of registers in which a tile is multiplied with a layer's parameters: Outs of them × Vectors vectors. It
/// is that of the instruction set this copy is compiled for, and no part of the shape: every number is summed in the
/// same order in all of them.
///
/// A matrix that the first cache cannot hold is read again for every block of tokens: more of them at a time then pay,
/// though they leave a register less.
///
/// Where vectors are twice as wide, there are twice as many registers, too: 24 sums, three vectors and a parameter are
/// 28 of 32.
template <class Shape>
struct Registers {
  static constexpr bool wide = wide_registers && Shape::width > 1;
  static constexpr int width = (wide ? 2 : 1) * Shape::width, vectors = wide ? 3 : Shape::vectors, outs = wide ? 8 : 4,
                       large_vectors = 3;
};

/// A matrix a[o, i] of outs × ins numbers, in any layout, and the bias it starts with, if there is one.
template <class T>
struct Linear {
  const T* a;
  std::int64_t out_stride, in_stride;
  const T* bias;
  int outs, ins;
};

/// What a result is to do with what is there.
enum class Into { replace, add, multiply };

/// out[o, :] = Σ_i a[o, i] · in[i, :] for Outs rows o, from the first on, and Vectors·Width tokens.
template <class T, int Width, int Vectors, int Outs, int Tile>
CHORD_INLINE void linear_block(const Linear<T>& l, int first, const T* in, T* out, Into into) {
  const T* a = l.a + first * l.out_stride;
  const std::int64_t out_stride = l.out_stride, in_stride = l.in_stride;
  const int ins = l.ins;
  vector<T, Width> sum[Outs][Vectors];
#pragma GCC unroll 8
  for (int o = 0; o < Outs; ++o)
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v)
      sum[o][v] = into == Into::add ? load<Width>(out + o * Tile + v * Width)
                                    : vector<T, Width>{} + (l.bias ? l.bias[first + o] : T(0));
#pragma GCC unroll 1
  for (int i = 0; i < ins; ++i) {
    vector<T, Width> x[Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) x[v] = load<Width>(in + i * Tile + v * Width);
#pragma GCC unroll 8
    for (int o = 0; o < Outs; ++o) {
      const T weight = a[o * out_stride + i * in_stride];
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v) sum[o][v] += weight * x[v];
    }
  }
#pragma GCC unroll 8
  for (int o = 0; o < Outs; ++o)
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
      T* to = out + o * Tile + v * Width;
      store<Width>(to, into == Into::multiply ? load<Width>(to) * sum[o][v] : sum[o][v]);
    }
}

/// The same for the rows from the first on, which are Most or fewer.
template <class T, int Width, int Vectors, int Most, int Tile>
CHORD_INLINE void linear_rest(const Linear<T>& l, int first, const T* in, T* out, Into into) {
  if constexpr (Most > 0) {
    if (l.outs - first == Most)
      linear_block<T, Width, Vectors, Most, Tile>(l, first, in, out + first * Tile, into);
    else
      linear_rest<T, Width, Vectors, Most - 1, Tile>(l, first, in, out, into);
  }
}

/// The same for all rows and all tokens of a tile, Vectors vectors of them at a time.
template <class T, int Width, int Vectors, int Outs, int Tile>
CHORD_INLINE void linear_tokens(const Linear<T>& l, const T* in, T* out, Into into) {
  static_assert(Tile % (Vectors * Width) == 0);
  for (int t = 0; t < Tile; t += Vectors * Width) {
    int o = 0;
    for (; o + Outs <= l.outs; o += Outs)
      linear_block<T, Width, Vectors, Outs, Tile>(l, o, in + t, out + o * Tile + t, into);
    linear_rest<T, Width, Vectors, Outs - 1, Tile>(l, o, in + t, out + t, into);
  }
}

template <class T, class Registers, int Tile>
CHORD_OUTLINE void linear_tile(Linear<T> l, const T* in, T* out, Into into) {
  constexpr int Width = Registers::width, Outs = Registers::outs, small_matrix = (32 << 10) / int(sizeof(T));
  if constexpr (Registers::large_vectors > Registers::vectors)
    if (l.ins * l.outs > small_matrix)
      return linear_tokens<T, Width, Registers::large_vectors, Outs, Tile>(l, in, out, into);
  linear_tokens<T, Width, Registers::vectors, Outs, Tile>(l, in, out, into);
}

/// Running sums over a tile's tokens: as many as 64 bytes have numbers, in the processor's vectors. So every number is
/// summed in the same order, whatever those are.
template <class T, class Shape>
struct RunningSum {
  static constexpr int width = Shape::width > 1 ? native_lanes<T> : 1;
  static constexpr int parts = Shape::width > 1 ? 64 / int(sizeof(T)) / width : 1;
  static constexpr int step = parts * width;
  vector<T, width> part[parts] = {};
};

/// da[o, i] += Σ_t g[o, t] · x[i, t] for Outs rows o and Ins columns i of both turned over.
template <class T, class Shape, int Outs, int Ins>
CHORD_INLINE void inner_block(const T* g, const T* x, T* da, int ins) {
  using Sum = RunningSum<T, Shape>;
  constexpr int Tile = Shape::rows, Width = Sum::width;
  Sum sum[Outs][4];  // those past Ins stay zero
#pragma GCC unroll 1
  for (int t = 0; t < Tile; t += Sum::step)
#pragma GCC unroll 2
    for (int p = 0; p < Sum::parts; ++p) {
      vector<T, Width> values[Ins];
#pragma GCC unroll 4
      for (int i = 0; i < Ins; ++i) values[i] = load<Width>(x + i * Tile + t + p * Width);
#pragma GCC unroll 4
      for (int o = 0; o < Outs; ++o) {
        const vector<T, Width> gradient = load<Width>(g + o * Tile + t + p * Width);
#pragma GCC unroll 4
        for (int i = 0; i < Ins; ++i) sum[o][i].part[p] += gradient * values[i];
      }
    }
#pragma GCC unroll 4
  for (int o = 0; o < Outs; ++o) {
    T* row = da + std::int64_t(o) * ins;
    const vector<T, 4> sums = sums_of_four<T>(sum[o][0].part, sum[o][1].part, sum[o][2].part, sum[o][3].part);
    if constexpr (Ins == 4)
      store<4>(row, load<4>(row) + sums);
    else
      row[0] += sums[0];
  }
}

template <class T, class Shape, int Outs>
CHORD_INLINE void inner_rows(const T* g, const T* x, int ins, T* da) {
  int i = 0;
  for (; i + 4 <= ins; i += 4) inner_block<T, Shape, Outs, 4>(g, x + i * Shape::rows, da + i, ins);
  for (; i < ins; ++i) inner_block<T, Shape, Outs, 1>(g, x + i * Shape::rows, da + i, ins);
}

/// The same for all of them.
template <class T, class Shape>
CHORD_OUTLINE void inner_products(const T* g, int outs, const T* x, int ins, T* da) {
  constexpr int Outs = RunningSum<T, Shape>::parts == 1 ? 4 : 1;  // sums that the registers have room for
  int o = 0;
  for (; o + Outs <= outs; o += Outs)
    inner_rows<T, Shape, Outs>(g + o * Shape::rows, x, ins, da + std::int64_t(o) * ins);
  for (; o < outs; ++o) inner_rows<T, Shape, 1>(g + o * Shape::rows, x, ins, da + std::int64_t(o) * ins);
}

/// da[o, i] += Σ_t g[o, t] · rows[t, i] for Outs rows o and Vectors·Width columns i, with rows as they are in memory.
template <class T, int Width, int Vectors, int Outs, int Tile>
CHORD_INLINE void outer_block(const T* g, const T* rows, int count, T* da, int ins) {
  vector<T, Width> sum[Outs][Vectors] = {};
#pragma GCC unroll 1
  for (int t = 0; t < count; ++t) {
    vector<T, Width> x[Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) x[v] = load<Width>(rows + std::int64_t(t) * ins + v * Width);
#pragma GCC unroll 8
    for (int o = 0; o < Outs; ++o)
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v) sum[o][v] += g[o * Tile + t] * x[v];
  }
#pragma GCC unroll 8
  for (int o = 0; o < Outs; ++o)
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
      T* to = da + std::int64_t(o) * ins + v * Width;
      store<Width>(to, load<Width>(to) + sum[o][v]);
    }
}

/// The same for the columns from i on, in ever narrower blocks.
template <class T, int Width, int Vectors, int Outs, int Tile>
CHORD_INLINE void outer_columns(const T* g, const T* rows, int count, T* da, int i, int ins) {
  for (; i + Vectors * Width <= ins; i += Vectors * Width)
    outer_block<T, Width, Vectors, Outs, Tile>(g, rows + i, count, da + i, ins);
  if constexpr (Vectors > 1)
    outer_columns<T, Width, Vectors - 1, Outs, Tile>(g, rows, count, da, i, ins);
  else if constexpr (Width > 1)
    outer_columns<T, Width / 2, 1, Outs, Tile>(g, rows, count, da, i, ins);
}

/// The same for all of them: it needs no sums across vectors, and is twice as fast as with both turned over.
template <class T, class Registers, int Tile>
CHORD_OUTLINE void outer_products(const T* g, int outs, const T* rows, int count, int ins, T* da) {
  constexpr int Width = Registers::width, Vectors = Registers::vectors, Outs = Registers::outs;
  int o = 0;
  for (; o + Outs <= outs; o += Outs)
    outer_columns<T, Width, Vectors, Outs, Tile>(g + o * Tile, rows, count, da + std::int64_t(o) * ins, 0, ins);
  for (; o < outs; ++o)
    outer_columns<T, Width, Vectors, 1, Tile>(g + o * Tile, rows, count, da + std::int64_t(o) * ins, 0, ins);
}

/// db[o] += Σ_t g[o, t] for Count ≤ 4 of them.
template <class T, class Shape, int Count>
CHORD_INLINE void sum_block(const T* g, T* db) {
  using Sum = RunningSum<T, Shape>;
  constexpr int Tile = Shape::rows, Width = Sum::width;
  Sum sum[4];  // those past Count stay zero
#pragma GCC unroll 2
  for (int t = 0; t < Tile; t += Sum::step)
#pragma GCC unroll 4
    for (int b = 0; b < Count; ++b)
#pragma GCC unroll 2
      for (int p = 0; p < Sum::parts; ++p) sum[b].part[p] += load<Width>(g + b * Tile + t + p * Width);
  const vector<T, 4> sums = sums_of_four<T>(sum[0].part, sum[1].part, sum[2].part, sum[3].part);
#pragma GCC unroll 4
  for (int b = 0; b < Count; ++b) db[b] += sums[b];
}

/// The same for all of them.
template <class T, class Shape>
CHORD_OUTLINE void tile_sums(const T* g, int outs, T* db) {
  std::int64_t o = 0;
  for (; o + 4 <= outs; o += 4) sum_block<T, Shape, 4>(g + o * Shape::rows, db + o);
  for (; o < outs; ++o) sum_block<T, Shape, 1>(g + o * Shape::rows, db + o);
}

/// hidden = gelu(hidden), and the slopes beside it where they are wanted.
template <class T, int Width, int Tile>
CHORD_OUTLINE void gelu_tile(T* hidden, T* slopes, int count) {
  for (int i = 0; i < count * Tile; i += Width) {
    const vector<T, Width> x = load<Width>(hidden + i);
    if (slopes) {
      vector<T, Width> slope;
      store<Width>(hidden + i, gelu_with_slope<T, Width>(x, slope));
      store<Width>(slopes + i, slope);
    } else {
      store<Width>(hidden + i, gelu<T, Width>(x));
    }
  }
}

}  // namespace chord::CHORD_KERNELS
