// The Chord product and its two gradients, all of them gathers: every output is written by one lane, in one order.
//
//   product                    z[i,:]  = Σ_k w[i,k]       · v[(i+o_k) mod n, :]
//   product_gradient_values    z[j,:]  = Σ_k w[j−o_k, k]  · v[(j−o_k) mod n, :]      (the transpose of the first)
//   product_gradient_weights   dw[i,k] = ⟨dz[i,:], v[(i+o_k) mod n, :]⟩
//
// Offsets are reduced to 0 ≤ o < n beforehand.
//
// A lane works on blocks of rows × columns held in registers. Wide rows take one row at a time and many registers;
// narrow ones several rows, so that enough independent sums hide the latency of an addition.
#pragma once

#include "operation.hpp"

namespace chord::CHORD_KERNELS {

/// Where the links of a factor's n rows lead.
struct Links {
  const std::int32_t* offsets = nullptr;
  std::int64_t n = 0, count = 0;
};

template <bool Transposed>
CHORD_INLINE std::size_t neighbour(std::size_t row, std::size_t offset, std::size_t n) {
  if (Transposed) return row >= offset ? row - offset : row + n - offset;
  return row + offset < n ? row + offset : row + offset - n;
}

/// z = Σ_k w·v (+ add, where given), of one factor and one sequence.
template <class T>
struct Gather {
  Links links;
  View<const T> w, v;
  View<T> z;
  View<const T> add;  ///< may be z itself
};

/// The block of rows and columns that begins at (row, column).
template <class T, class Block, bool Transposed>
CHORD_INLINE void gather_block(std::size_t row, std::size_t column, const Gather<T>& g) {
  constexpr int Width = Block::width, Vectors = Block::vectors, Rows = Block::rows;
  const std::size_t n = g.links.n;
  const std::int64_t w_stride = g.w.row_stride, v_stride = g.v.row_stride;
  vector<T, Width> sum[Rows][Vectors] = {};
  const T* block = g.v.data + column;  // so that the columns of a block are constants behind one pointer
  for (int k = 0; k < g.links.count; ++k) {
    const std::size_t first = neighbour<Transposed>(row, g.links.offsets[k], n);
    const T* weights = g.w.data + (Transposed ? first : row) * w_stride + k;
    const T* values = block + first * v_stride;
    // How far to step back from row t of the block where its neighbours reach past the last row; hardly ever taken.
    if (Rows > 1 && first + Rows > n) {
#pragma GCC unroll 8
      for (int t = 0; t < Rows; ++t) {
        const std::int64_t back = first + t < n ? 0 : n;
        const T weight = weights[(t - (Transposed ? back : 0)) * w_stride];
#pragma GCC unroll 8
        for (int r = 0; r < Vectors; ++r) sum[t][r] += weight * load<Width>(values + (t - back) * v_stride + r * Width);
      }
      continue;
    }
#pragma GCC unroll 8
    for (int t = 0; t < Rows; ++t) {
      const T weight = weights[t * w_stride];
#pragma GCC unroll 8
      for (int r = 0; r < Vectors; ++r) sum[t][r] += weight * load<Width>(values + t * v_stride + r * Width);
    }
  }
#pragma GCC unroll 8
  for (int t = 0; t < Rows; ++t) {
#pragma GCC unroll 8
    for (int r = 0; r < Vectors; ++r) {
      if (g.add) sum[t][r] += load<Width>(g.add.row(row + t) + column + r * Width);
      store<Width>(g.z.row(row + t) + column + r * Width, sum[t][r]);
    }
  }
}

/// Some rows and columns. A block of several vectors takes whole blocks of columns only; one of a single vector any
/// number of both.
template <class T, class Shape, bool Transposed>
CHORD_OUTLINE void gather(Range rows, Range columns, Gather<T> g) {
  constexpr int Width = Shape::width, Rows = Shape::rows;
  std::size_t row = rows.first;
  for (; row + Rows <= rows.last; row += Rows)
    for (std::size_t c = columns.first; c + Shape::columns <= columns.last; c += Shape::columns)
      gather_block<T, Shape, Transposed>(row, c, g);
  if (Shape::vectors > 1) return;
  for (; row < rows.last; ++row)
    for (std::size_t c = columns.first; c + Width <= columns.last; c += Width)
      gather_block<T, Block<Width, 1, 1>, Transposed>(row, c, g);
  const std::size_t rest = columns.last - (columns.last - columns.first) % Width;
  if (rest == columns.last) return;
  for (row = rows.first; row + Rows <= rows.last; row += Rows)
    for (std::size_t c = rest; c < columns.last; ++c) gather_block<T, Block<1, 1, Rows>, Transposed>(row, c, g);
  for (; row < rows.last; ++row)
    for (std::size_t c = rest; c < columns.last; ++c) gather_block<T, Scalar, Transposed>(row, c, g);
}

/// Some rows and columns by the blocks of a tile: each takes as many columns as it can.
template <class T, bool Transposed, class First, class... Rest>
CHORD_INLINE void gather_tile(List<First, Rest...>, Range rows, Range columns, const Gather<T>& g) {
  if constexpr (sizeof...(Rest) == 0) {
    if (columns.first < columns.last) gather<T, First, Transposed>(rows, columns, g);
  } else {
    const std::size_t end = columns.last - (columns.last - columns.first) % First::columns;
    if (columns.first < end) gather<T, First, Transposed>(rows, {columns.first, end}, g);
    gather_tile<T, Transposed>(List<Rest...>(), rows, {end, columns.last}, g);
  }
}

/// Of a factor or its transpose, from v to z.
template <class T>
struct ProductArguments {
  View<const T> w, v;
  View<T> z;
  View<const T> add;  ///< none, z itself (accumulate) or another matrix (a residual)
  Links links;
  std::int64_t sequences, columns;
};

template <bool Transposed>
struct product_of {
  using types = Reals;
  template <class T>
  using cpu = Tile<32, 0, Block<cpu_lanes<T>, 8, 1>, Block<cpu_lanes<T>, 4, 1>, Block<cpu_lanes<T>, 1, 4>>;
  template <class T>
  using gpu = Tile<1, 16 / sizeof(T), Block<16 / sizeof(T), 1, 1>>;

  template <class T>
  using Arguments = ProductArguments<T>;

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.sequences), divide_up(a.links.n, Shape::rows),
            Shape::columns ? divide_up(a.columns, Shape::columns) : 1};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.sequences) * double(a.links.n);
    const double weights = double(a.w.sequence_stride ? a.sequences : 1) * double(a.links.n * a.links.count);
    return {2 * rows * double(a.links.count * a.columns),
            (weights + rows * double(a.columns) * (a.add ? 3 : 2)) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t sequence, std::size_t tile, std::size_t lane, const Arguments<T>& a) {
    const Range rows = piece_of(tile, Shape::rows, a.links.n);
    const Range columns = Shape::columns ? piece_of(lane, Shape::columns, a.columns) : Range{0, std::size_t(a.columns)};
    gather_tile<T, Transposed>(typename Shape::blocks(), rows, columns,
                               Gather<T>{a.links, a.w.sequence(sequence), a.v.sequence(sequence),
                                         a.z.sequence(sequence), a.add.sequence(sequence)});
  }
};
struct product : product_of<false> {};
struct product_gradient_values : product_of<true> {};

/// dw (+)= ⟨dz[i,:], v[(i+o_k),:]⟩ over `columns` columns, of one factor and one sequence.
template <class T>
struct Dots {
  Links links;
  View<const T> dz, v;
  View<T> dw;
  std::size_t columns;
  bool accumulate;
};

/// Rows rows from `row` on, Count ≤ Width links from `first` on; links past the end are clamped to the last one while
/// computing and not stored.
template <class T, int Width, int Rows, int Count>
CHORD_INLINE void dot_links(std::size_t row, int first, const Dots<T>& d) {
  const std::size_t n = d.links.n, columns = d.columns;
  const int links = int(d.links.count);
  const std::int64_t v_stride = d.v.row_stride;
  std::int64_t start[Count];  // of each link's neighbour, from v
  bool wraps = false;
#pragma GCC unroll 8
  for (int b = 0; b < Count; ++b) {
    const std::size_t source = neighbour<false>(row, d.links.offsets[first + b < links ? first + b : links - 1], n);
    start[b] = source * v_stride;
    wraps |= source + Rows > n;
  }
#pragma GCC unroll 1
  for (int t = 0; t < Rows; ++t) {
    if (Rows > 1 && wraps)
      for (int b = 0; b < Count; ++b) {
        const std::size_t source =
            neighbour<false>(row + t, d.links.offsets[first + b < links ? first + b : links - 1], n);
        start[b] = (std::int64_t(source) - t) * v_stride;
      }
    const T* gradient = d.dz.row(row + t);
    const T* values = d.v.data + t * v_stride;
    vector<T, Width> sum[Width] = {}, dots;
    std::size_t c = 0;
#pragma GCC unroll 1
    for (; c + Width <= columns; c += Width) {
      const vector<T, Width> g = load<Width>(gradient + c);
#pragma GCC unroll 8
      for (int b = 0; b < Count; ++b) sum[b] += g * load<Width>(values + c + start[b]);
    }
    sums_of<T>(sum, dots);
    if (Width > 1)
#pragma GCC unroll 1
      for (; c < columns; ++c) {
        vector<T, Width> column = {};
#pragma GCC unroll 8
        for (int b = 0; b < Count; ++b) column[b] = (values + c)[start[b]];  // the start may lie before
        dots += gradient[c] * column;
      }
    T* out = d.dw.row(row + t) + first;
    if (Count == Width && first + Width <= links) {
      store<Width>(out, d.accumulate ? dots + load<Width>(out) : dots);
    } else {
#pragma GCC unroll 8
      for (int b = 0; b < Count; ++b)
        if (first + b < links) out[b] = d.accumulate ? out[b] + dots[b] : dots[b];
    }
  }
}

/// Some links of Rows rows: as many as fill a vector together, those left over in a part of one.
template <class T, int Width, int Rows>
CHORD_INLINE void dot_row(std::size_t row, Range links, const Dots<T>& d) {
  constexpr int Half = Width > 1 ? Width / 2 : 1, Quarter = Width > 2 ? Width / 4 : 1;
  int k = int(links.first);
  const int last = int(links.last);
  for (; k + Half < last; k += Width) dot_links<T, Width, Rows, Width>(row, k, d);
  if (k + Quarter < last)
    dot_links<T, Width, Rows, Half>(row, k, d);
  else if (k < last)
    dot_links<T, Width, Rows, Quarter>(row, k, d);
}

/// Some links of some rows.
template <class T, class Block>
CHORD_OUTLINE void dot_rows(Range rows, Range links, Dots<T> d) {
  constexpr int Width = Block::width, Rows = Block::rows;
  std::size_t row = rows.first;
  for (; row + Rows <= rows.last; row += Rows) dot_row<T, Width, Rows>(row, links, d);
  if (Rows > 1)
    for (; row < rows.last; ++row) dot_row<T, Width, 1>(row, links, d);
}

/// The same by the block of a tile.
template <class T, class Block>
CHORD_INLINE void dot_tile(List<Block>, Range rows, Range links, const Dots<T>& d) {
  dot_rows<T, Block>(rows, links, d);
}

/// Where one w serves `summed` sequences, their contributions are added in order.
struct product_gradient_weights {
  using types = Reals;
  template <class T>
  using cpu = Tile<32, 0, Block<cpu_lanes<T>, 1, 4>>;
  template <class T>
  using gpu = Tile<1, 1, Scalar>;

  template <class T>
  struct Arguments {
    View<const T> dz, v;
    View<T> dw;
    Links links;
    std::int64_t sequences, summed, columns;  ///< sequences: those that dw has
    std::int32_t accumulate;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.sequences), divide_up(a.links.n, Shape::rows),
            Shape::columns ? divide_up(a.links.count, Shape::columns) : 1};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.sequences) * double(a.links.n), all = rows * double(a.summed) * double(a.columns);
    return {2 * all * double(a.links.count),
            (2 * all + rows * double(a.links.count) * (a.accumulate ? 2 : 1)) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t sequence, std::size_t tile, std::size_t lane, const Arguments<T>& a) {
    const Range rows = piece_of(tile, Shape::rows, a.links.n);
    const Range links =
        Shape::columns ? piece_of(lane, Shape::columns, a.links.count) : Range{0, std::size_t(a.links.count)};
    for (std::int64_t s = 0; s < a.summed; ++s) {
      const std::size_t from = sequence * a.summed + s;
      dot_tile(typename Shape::blocks(), rows, links,
               Dots<T>{a.links, a.dz.sequence(from), a.v.sequence(from), a.dw.sequence(sequence),
                       std::size_t(a.columns), a.accumulate || s > 0});
    }
  }
};

}  // namespace chord::CHORD_KERNELS
