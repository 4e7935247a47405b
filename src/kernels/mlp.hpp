// Networks that work row by row: linear, GELU, linear; several of them on the same rows, and their gradients.
//
// A tile of rows is turned over, so that a vector holds one value of neighbouring rows: parameters are then scalars,
// used in the layout they are stored in, and every size goes. The tile passes through both layers while it is in the
// cache; the hidden layer is never in memory, and the backward pass makes it again.
//
// A network's parameters lie one behind the other: weight [hidden, ins], bias [hidden], weight [outs, hidden],
// bias [outs]. A worker takes a run of tiles; its gradients are sums of its own, so nothing depends on who comes first.
#pragma once

#include "gelu.hpp"
#include "operation.hpp"

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
CHORD_INLINE void transpose(vector<float, 1> (&)[1]) {}
CHORD_INLINE void transpose(vector<double, 1> (&)[1]) {}

/// tile[c, t] = rows[t, c] for the rows there are, zero for the rest.
template <class T, int Width, int Tile>
CHORD_OUTLINE void load_tile(const T* rows, int valid, int columns, T* tile) {
  int t = 0;
  for (; t + Width <= valid; t += Width) {
    const T* source = rows + std::int64_t(t) * columns;
    int c = 0;
    for (; c + Width <= columns; c += Width) {
      vector<T, Width> block[Width];
#pragma GCC unroll 8
      for (int i = 0; i < Width; ++i) block[i] = load<Width>(source + i * columns + c);
      transpose(block);
#pragma GCC unroll 8
      for (int i = 0; i < Width; ++i) store<Width>(tile + (c + i) * Tile + t, block[i]);
    }
    for (; c < columns; ++c)
#pragma GCC unroll 8
      for (int i = 0; i < Width; ++i) tile[c * Tile + t + i] = source[i * columns + c];
  }
  for (; t < Tile; ++t)
    for (int c = 0; c < columns; ++c) tile[c * Tile + t] = t < valid ? rows[std::int64_t(t) * columns + c] : T(0);
}

/// rows[t, c] (+)= tile[c, t]
template <class T, int Width, int Tile>
CHORD_OUTLINE void store_tile(const T* tile, int valid, int columns, T* rows, bool accumulate) {
  int t = 0;
  for (; t + Width <= valid; t += Width) {
    T* target = rows + std::int64_t(t) * columns;
    int c = 0;
    for (; c + Width <= columns; c += Width) {
      vector<T, Width> block[Width];
#pragma GCC unroll 8
      for (int i = 0; i < Width; ++i) block[i] = load<Width>(tile + (c + i) * Tile + t);
      transpose(block);
#pragma GCC unroll 8
      for (int i = 0; i < Width; ++i) {
        T* to = target + i * columns + c;
        store<Width>(to, accumulate ? load<Width>(to) + block[i] : block[i]);
      }
    }
    for (; c < columns; ++c)
#pragma GCC unroll 8
      for (int i = 0; i < Width; ++i) {
        T& to = target[i * columns + c];
        to = accumulate ? to + tile[c * Tile + t + i] : tile[c * Tile + t + i];
      }
  }
  for (; t < valid; ++t)
    for (int c = 0; c < columns; ++c) {
      T& to = rows[std::int64_t(t) * columns + c];
      to = accumulate ? to + tile[c * Tile + t] : tile[c * Tile + t];
    }
}

template <class T, int Width>
CHORD_INLINE T lanes_sum(const vector<T, Width>& values) {
  T sum = values[0];
#pragma GCC unroll 8
  for (int i = 1; i < Width; ++i) sum += values[i];
  return sum;
}

template <class T, int Width, int Tile>
CHORD_INLINE T tile_dot(const T* a, const T* b) {
  vector<T, Width> sum = {};
  for (int t = 0; t < Tile; t += Width) sum += load<Width>(a + t) * load<Width>(b + t);
  return lanes_sum<T, Width>(sum);
}

/// The block of registers in which a tile is multiplied with a layer's parameters: Outs of them × Vectors vectors. It
/// is that of the instruction set this copy is compiled for, and no part of the shape: every number is summed in the
/// same order in all of them.
template <class Shape>
struct Registers {
  static constexpr int width = Shape::width, vectors = Shape::vectors, outs = 4;
};
#ifdef __AVX512F__
// Twice as wide and twice as many: 24 sums, three vectors and a parameter are 28 of 32.
template <class Shape>
  requires(Shape::width > 1)
struct Registers<Shape> {
  static constexpr int width = 2 * Shape::width, vectors = 3, outs = 8;
};
#endif

/// A matrix a[o, i] of outs × ins numbers, in any layout, and the bias it starts with, if there is one.
template <class T>
struct Linear {
  const T* a;
  std::int64_t out_stride, in_stride;
  const T* bias;
  int outs, ins;
};

/// out[o, :] (+)= Σ_i a[o, i] · in[i, :] for Outs rows o, from the first on, and Vectors·Width tokens.
template <class T, int Width, int Vectors, int Outs, int Tile>
CHORD_INLINE void linear_block(const Linear<T>& l, int first, const T* in, T* out, bool accumulate) {
  const T* a = l.a + first * l.out_stride;
  const std::int64_t out_stride = l.out_stride, in_stride = l.in_stride;
  const int ins = l.ins;
  vector<T, Width> sum[Outs][Vectors];
#pragma GCC unroll 8
  for (int o = 0; o < Outs; ++o)
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v)
      sum[o][v] = accumulate ? load<Width>(out + o * Tile + v * Width)
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
    for (int v = 0; v < Vectors; ++v) store<Width>(out + o * Tile + v * Width, sum[o][v]);
}

/// The same for the rows from the first on, which are Most or fewer.
template <class T, int Width, int Vectors, int Most, int Tile>
CHORD_INLINE void linear_rest(const Linear<T>& l, int first, const T* in, T* out, bool accumulate) {
  if constexpr (Most > 0) {
    if (l.outs - first == Most)
      linear_block<T, Width, Vectors, Most, Tile>(l, first, in, out + first * Tile, accumulate);
    else
      linear_rest<T, Width, Vectors, Most - 1, Tile>(l, first, in, out, accumulate);
  }
}

/// The same for all rows and all tokens of a tile.
template <class T, class Registers, int Tile>
CHORD_OUTLINE void linear_tile(Linear<T> l, const T* in, T* out, bool accumulate) {
  constexpr int Width = Registers::width, Vectors = Registers::vectors, Outs = Registers::outs;
  static_assert(Tile % (Vectors * Width) == 0);
  for (int t = 0; t < Tile; t += Vectors * Width) {
    int o = 0;
    for (; o + Outs <= l.outs; o += Outs)
      linear_block<T, Width, Vectors, Outs, Tile>(l, o, in + t, out + o * Tile + t, accumulate);
    linear_rest<T, Width, Vectors, Outs - 1, Tile>(l, o, in + t, out + t, accumulate);
  }
}

/// da[o, i] += Σ_t g[o, t] · x[i, t] for both turned over.
template <class T, int Width, int Tile>
CHORD_OUTLINE void inner_products(const T* g, int outs, const T* x, int ins, T* da) {
  for (int o = 0; o < outs; ++o) {
    const T* gradient = g + o * Tile;
    T* row = da + std::int64_t(o) * ins;
    int i = 0;
    for (; i + Width <= ins; i += Width) {
      vector<T, Width> sum[Width] = {}, sums;
#pragma GCC unroll 1
      for (int t = 0; t < Tile; t += Width) {
        const vector<T, Width> factor = load<Width>(gradient + t);
#pragma GCC unroll 8
        for (int b = 0; b < Width; ++b) sum[b] += factor * load<Width>(x + (i + b) * Tile + t);
      }
      sums_of<T>(sum, sums);
      store<Width>(row + i, load<Width>(row + i) + sums);
    }
    for (; i < ins; ++i) row[i] += tile_dot<T, Width, Tile>(gradient, x + i * Tile);
  }
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

/// db[o] += Σ_t g[o, t]
template <class T, int Width, int Tile>
CHORD_INLINE void tile_sums(const T* g, int outs, T* db) {
  for (int o = 0; o < outs; ++o) {
    vector<T, Width> total = {};
    for (int t = 0; t < Tile; t += Width) total += load<Width>(g + o * Tile + t);
    db[o] += lanes_sum<T, Width>(total);
  }
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

/// The sizes of a network, and where its parameters lie behind the first.
struct Network {
  std::int64_t ins = 0, hidden = 0, outs = 0;

  CHORD_INLINE std::int64_t bias() const { return hidden * ins; }
  CHORD_INLINE std::int64_t weight_out() const { return bias() + hidden; }
  CHORD_INLINE std::int64_t bias_out() const { return weight_out() + outs * hidden; }
  CHORD_INLINE std::int64_t size() const { return bias_out() + outs; }
};

/// W₁ and W₂ as they are, and turned over.
template <class T>
CHORD_INLINE Linear<T> first_layer(const Network& net, const T* p) {
  return {p, net.ins, 1, p + net.bias(), int(net.hidden), int(net.ins)};
}
template <class T>
CHORD_INLINE Linear<T> second_layer(const Network& net, const T* p) {
  return {p + net.weight_out(), net.hidden, 1, p + net.bias_out(), int(net.outs), int(net.hidden)};
}
template <class T>
CHORD_INLINE Linear<T> transposed(Linear<T> layer) {
  return {layer.a, layer.in_stride, layer.out_stride, nullptr, layer.ins, layer.outs};
}

/// Rows × networks of a pass, as work.
CHORD_INLINE double mlp_flop(const Network& net, double rows_and_networks) {
  return 2 * rows_and_networks * double(net.hidden) * double(net.ins + net.outs);
}

/// A shape's width and vectors are of the block of registers, its rows those of a tile.
struct ByTiles {
  using types = Reals;
  template <class T>
  using cpu = Block<cpu_lanes<T>, 2, 12 * cpu_lanes<T>>;
  template <class T>
  using gpu = Scalar;
};

/// out[network, row, :] = the networks' outputs for in[row, :].
struct mlp_forward : ByTiles {
  template <class T>
  struct Arguments {
    const T *in, *parameters;
    T* out;
    T* scratch;  ///< per worker scratch_rows(…) · tile values
    Network network;
    std::int64_t rows, networks, workers, tiles_each;
  };

  CHORD_INLINE static std::int64_t scratch_rows(const Network& net) { return net.ins + net.hidden + net.outs; }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.workers)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.rows), networks = double(a.networks);
    return {mlp_flop(a.network, rows * networks) + gelu_flop<T> * rows * networks * double(a.network.hidden),
            (rows * double(a.network.ins) + networks * (rows * double(a.network.outs) + double(a.network.size()))) *
                sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t worker, std::size_t, std::size_t, const Arguments<T>& a) {
    constexpr int Width = Shape::width, Tile = Shape::rows;
    using Block = Registers<Shape>;
    const Network net = a.network;
    const int ins = int(net.ins), hidden = int(net.hidden), outs = int(net.outs);
    T* x = a.scratch + worker * scratch_rows(net) * Tile;
    T* h = x + ins * Tile;
    T* y = h + hidden * Tile;
    for (std::int64_t tile = worker * a.tiles_each; tile < std::int64_t(worker + 1) * a.tiles_each; ++tile) {
      const std::int64_t first = tile * Tile;
      if (first >= a.rows) return;
      const int valid = a.rows - first < Tile ? a.rows - first : Tile;
      load_tile<T, Width, Tile>(a.in + first * ins, valid, ins, x);
      for (int m = 0; m < a.networks; ++m) {
        const T* p = a.parameters + m * net.size();
        linear_tile<T, Block, Tile>(first_layer(net, p), x, h, false);
        gelu_tile<T, Block::width, Tile>(h, nullptr, hidden);
        linear_tile<T, Block, Tile>(second_layer(net, p), h, y, false);
        store_tile<T, Width, Tile>(y, valid, outs, a.out + (m * a.rows + first) * outs, false);
      }
    }
  }
};

/// The gradients of ⟨dout, out⟩: with respect to `in`, (+)= into din, and to the parameters, one sum per worker in
/// partial[worker, network, …].
struct mlp_backward : ByTiles {
  template <class T>
  struct Arguments {
    const T *in, *parameters, *dout;
    T *din, *partial;
    T* scratch;  ///< per worker scratch_rows(…) · tile values
    Network network;
    std::int64_t rows, networks, workers, tiles_each;
    std::int32_t accumulate;  ///< of din
  };

  CHORD_INLINE static std::int64_t scratch_rows(const Network& net) { return 2 * net.ins + 2 * net.hidden + net.outs; }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.workers)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.rows), networks = double(a.networks), size = double(a.network.size());
    // The hidden layer again, then for both layers the gradients of parameters and of inputs.
    return {2 * mlp_flop(a.network, rows * networks) +
                rows * networks * double(a.network.hidden) * (2 * double(a.network.ins) + gelu_flop<T>),
            (rows * double(a.network.ins) * (a.accumulate ? 3 : 2) +
             networks * (rows * double(a.network.outs) + size + double(a.workers) * size)) *
                sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t worker, std::size_t, std::size_t, const Arguments<T>& a) {
    constexpr int Width = Shape::width, Tile = Shape::rows;
    using Block = Registers<Shape>;
    const Network net = a.network;
    const int ins = int(net.ins), hidden = int(net.hidden), outs = int(net.outs);
    T* x = a.scratch + worker * scratch_rows(net) * Tile;
    T* dx = x + ins * Tile;
    T* h = dx + ins * Tile;
    T* slopes = h + hidden * Tile;
    T* dy = slopes + hidden * Tile;
    T* mine = a.partial + worker * a.networks * net.size();
    for (std::int64_t i = 0; i < a.networks * net.size(); ++i) mine[i] = T(0);
    for (std::int64_t tile = worker * a.tiles_each; tile < std::int64_t(worker + 1) * a.tiles_each; ++tile) {
      const std::int64_t first = tile * Tile;
      if (first >= a.rows) return;
      const int valid = a.rows - first < Tile ? a.rows - first : Tile;
      load_tile<T, Width, Tile>(a.in + first * ins, valid, ins, x);
      for (int m = 0; m < a.networks; ++m) {
        const T* p = a.parameters + m * net.size();
        T* dp = mine + m * net.size();
        load_tile<T, Width, Tile>(a.dout + (m * a.rows + first) * outs, valid, outs, dy);
        // h = gelu(W₁ x + b₁), and gelu' there
        linear_tile<T, Block, Tile>(first_layer(net, p), x, h, false);
        gelu_tile<T, Block::width, Tile>(h, slopes, hidden);
        // dW₂ += dy hᵀ, db₂ += dy
        inner_products<T, Width, Tile>(dy, outs, h, hidden, dp + net.weight_out());
        tile_sums<T, Width, Tile>(dy, outs, dp + net.bias_out());
        // dh = W₂ᵀ dy · gelu', in the memory of h, which has done its service
        T* dh = h;
        linear_tile<T, Block, Tile>(transposed(second_layer(net, p)), dy, dh, false);
        for (int i = 0; i < hidden * Tile; i += Block::width)
          store<Block::width>(dh + i, load<Block::width>(slopes + i) * load<Block::width>(dh + i));
        // dW₁ += dh xᵀ, db₁ += dh
        outer_products<T, Block, Tile>(dh, hidden, a.in + first * ins, valid, ins, dp);
        tile_sums<T, Width, Tile>(dh, hidden, dp + net.bias());
        // dx (+)= W₁ᵀ dh
        linear_tile<T, Block, Tile>(transposed(first_layer(net, p)), dh, dx, m > 0);
      }
      store_tile<T, Width, Tile>(dx, valid, ins, a.din + first * ins, a.accumulate);
    }
  }
};

}  // namespace chord::CHORD_KERNELS
