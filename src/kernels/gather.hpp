// The Chord product and its transpose on CPUs: some rows and columns at a time, in blocks of registers.
//
// Wide rows take one row at a time and many registers; narrow ones several rows, so that enough independent sums hide
// the latency of an addition.
#pragma once

#include "lanes.hpp"
#include "reach.hpp"

namespace chord::CHORD_KERNELS {

/// z = Σ_k w·v (+ add, where given), of one factor and one sequence.
template <class T>
struct Gather {
  Links links;
  View<const T> w, v;
  View<T> z;
  View<const T> add;  ///< may be z itself
};

/// The block of rows and columns that begins at (row, column).
template <class T, class Block, bool Transposed, class Reach, class Lanes>
CHORD_INLINE void gather_block(std::size_t row, std::size_t column, const Gather<T>& g, const Reach& reach,
                               const Lanes& lanes) {
  constexpr int Width = Block::width, Vectors = Block::vectors, Rows = Block::rows;
  const std::int64_t w_stride = g.w.row_stride, v_stride = g.v.row_stride;
  vector<T, Width> sum[Rows][Vectors] = {};
  const T *own_weights = g.w.row(row), *own_values = g.v.row(row) + column;
  for (int k = 0; k < g.links.count; ++k) {
    const T* weights = own_weights + (Transposed ? reach[k] * w_stride : 0) + k;
    const T* values = own_values + reach[k] * v_stride;
#pragma GCC unroll 8
    for (int t = 0; t < Rows; ++t) {
      const T weight = weights[t * w_stride];
#pragma GCC unroll 8
      for (int r = 0; r < Vectors; ++r) sum[t][r] += weight * lanes.load(values + t * v_stride + r * Width);
    }
  }
#pragma GCC unroll 8
  for (int t = 0; t < Rows; ++t) {
#pragma GCC unroll 8
    for (int r = 0; r < Vectors; ++r) {
      if (g.add) sum[t][r] += lanes.load(g.add.row(row + t) + column + r * Width);
      lanes.store(g.z.row(row + t) + column + r * Width, sum[t][r]);
    }
  }
}

/// Some whole blocks of columns of the rows that have one reach, or lanes of one block.
template <class T, class Shape, bool Transposed, class Reach, class Lanes>
CHORD_INLINE void gather_columns(Range rows, Range columns, const Gather<T>& g, const Reach& reach,
                                 const Lanes& lanes) {
  constexpr int Width = Shape::width, Rows = Shape::rows, Vectors = Shape::vectors;
  std::size_t row = rows.first;
  for (; row + Rows <= rows.last; row += Rows)
    for (std::size_t c = columns.first; c < columns.last; c += Shape::columns)
      gather_block<T, Shape, Transposed>(row, c, g, reach, lanes);
  for (; row < rows.last; ++row)
    for (std::size_t c = columns.first; c < columns.last; c += Shape::columns)
      gather_block<T, Block<Width, Vectors, 1>, Transposed>(row, c, g, reach, lanes);
}

/// Some columns of the rows that have one reach: whole blocks of columns; what a block of one vector leaves over goes
/// to the first lanes of one or, where half of them would do or there are no masks, to blocks of half its width.
template <class T, class Shape, bool Transposed, class Reach>
CHORD_INLINE void gather_rows(Range rows, Range columns, const Gather<T>& g, const Reach& reach) {
  constexpr int Width = Shape::width;
  const std::size_t end = columns.last - (columns.last - columns.first) % Shape::columns;
  gather_columns<T, Shape, Transposed>(rows, {columns.first, end}, g, reach, AllLanes<T, Width>());
  if constexpr (Shape::vectors == 1 && Width > 1)
    if (const Range rest{end, columns.last}; rest.first < rest.last) {
      if constexpr (FirstLanes<T, Width>::possible)
        if (rest.last - rest.first > Width / 2)
          return gather_columns<T, Shape, Transposed>(rows, rest, g, reach,
                                                      FirstLanes<T, Width>(rest.last - rest.first));
      gather_rows<T, Block<Width / 2, 1, Shape::rows>, Transposed>(rows, rest, g, reach);
    }
}

#ifdef __AVX512F__
/// 2·Pairs rows of eight float32 that follow each other in memory, two to a register: a permutation of registers, which
/// hold the weights of a row each, or two loads where the weights are of as many rows as there are links, give each row
/// its own. Columns are summed as in gather_block, so nothing but the time changes.
template <int Pairs, bool Transposed>
CHORD_INLINE void gather_pairs(std::size_t row, const Gather<float>& g, const Reach<Transposed>& reach) {
  constexpr int Links = 16;  // whose weights a register holds
  const std::int64_t stride = g.w.row_stride;
  const int count = int(g.links.count);
  const float *weights = g.w.row(row), *values = g.v.row(row);
  vector<float, 16> sum[Pairs] = {};
  for (int done = 0; done < count; done += Links) {
    const int end = count - done < Links ? count : done + Links;
    [[maybe_unused]] vector<float, 16> even[Pairs], odd[Pairs];
    if constexpr (!Transposed) {
      const FirstLanes<float, 16> there(end - done);
#pragma GCC unroll 4
      for (int p = 0; p < Pairs; ++p) {
        even[p] = there.load(weights + 2 * p * stride + done);
        odd[p] = there.load(weights + (2 * p + 1) * stride + done);
      }
    }
    vector<int, 16> places = {0, 0, 0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 16, 16, 16, 16};
    for (int k = done; k < end; ++k, places += 1) {
      [[maybe_unused]] const float* far_weights = weights + reach[k] * stride + k;
      const float* far_values = values + reach[k] * 8;
#pragma GCC unroll 4
      for (int p = 0; p < Pairs; ++p) {
        __m512 weight;
        if constexpr (Transposed)
          weight = _mm512_mask_broadcastss_ps(_mm512_set1_ps(far_weights[2 * p * stride]), 0xff00,
                                              _mm_load_ss(far_weights + (2 * p + 1) * stride));
        else
          weight = _mm512_permutex2var_ps(__m512(even[p]), __m512i(places), __m512(odd[p]));
        sum[p] += vector<float, 16>(weight) * load<16>(far_values + 16 * p);
      }
    }
  }
#pragma GCC unroll 4
  for (int p = 0; p < Pairs; ++p) {
    if (g.add) sum[p] += load<16>(g.add.row(row + 2 * p));
    store<16>(g.z.row(row + 2 * p), sum[p]);
  }
}

/// Those of the rows that have one reach: the first one that is left over is returned.
template <bool Transposed>
CHORD_INLINE std::size_t gather_pairs(Range rows, const Gather<float>& g, const Reach<Transposed>& reach) {
  constexpr int Pairs = 4;
  std::size_t row = rows.first;
  for (; row + 2 * Pairs <= rows.last; row += 2 * Pairs) {
    fetch_weights<Access::read>(g.w, row, 2 * Pairs);
    gather_pairs<Pairs, Transposed>(row, g, reach);
  }
  for (; row + 2 <= rows.last; row += 2) gather_pairs<1, Transposed>(row, g, reach);
  return row;
}

/// Whether these columns are eight, with the rows one behind the other.
CHORD_INLINE bool has_pairs(Range columns, const Gather<float>& g) {
  return columns.last - columns.first == 8 && g.v.row_stride == 8 && g.z.row_stride == 8 &&
         (!g.add || g.add.row_stride == 8);
}
#endif

/// Some rows and columns, for as many links as a reach has at a time.
template <class T, class Shape, bool Transposed>
CHORD_OUTLINE void gather(Range rows, Range columns, Gather<T> g) {
  if constexpr (Shape::vectors == 1 && Shape::rows == 1) {
    for (std::size_t row = rows.first; row < rows.last; ++row)
      gather_rows<T, Shape, Transposed>({row, row + 1}, columns, g, ReachOfRow<Transposed>{g.links, row});
  } else {
    const std::int64_t links = g.links.count;
    for (std::int64_t done = 0; done < links; done += g.links.count) {
      g.links.count = links - done < Reach<Transposed>::limit ? links - done : Reach<Transposed>::limit;
      for (std::size_t row = rows.first; row < rows.last;) {
        const Reach<Transposed> reach(g.links, {row, rows.last});
#ifdef __AVX512F__
        if constexpr (Shape::width == 8 && Shape::vectors == 1 && sizeof(T) == sizeof(float))
          if (has_pairs(columns, g)) row = gather_pairs<Transposed>({row, reach.end}, g, reach);
#endif
        gather_rows<T, Shape, Transposed>({row, reach.end}, columns, g, reach);
        row = reach.end;
      }
      g.links.offsets += g.links.count;
      g.w.data += g.links.count;
      g.add = g.z;
    }
  }
}

/// A block in the vectors of the processor that this copy is compiled for, where they are wider: columns are summed one
/// by one, so nothing else changes.
template <class T, class Shape>
using NativeBlock = Block<native_lanes<T> / cpu_lanes<T> * Shape::width,
                          Shape::vectors / (native_lanes<T> / cpu_lanes<T>), Shape::rows>;

/// Some rows and columns by the blocks of a tile: each takes as many columns as it can.
template <class T, bool Transposed, class First, class... Rest>
CHORD_INLINE void gather_tile(List<First, Rest...>, Range rows, Range columns, const Gather<T>& g) {
  if constexpr (sizeof...(Rest) == 0) {
    if constexpr (First::width > 1 && FirstLanes<T, 2 * First::width>::possible)
      if (columns.first + First::width < columns.last)
        return gather<T, Block<2 * First::width, 1, First::rows>, Transposed>(rows, columns, g);
    if (columns.first < columns.last) gather<T, First, Transposed>(rows, columns, g);
  } else {
    using Native = NativeBlock<T, First>;
    const std::size_t end = columns.last - (columns.last - columns.first) % First::columns;
    if (columns.first < end) gather<T, Native, Transposed>(rows, {columns.first, end}, g);
    gather_tile<T, Transposed>(List<Rest...>(), rows, {end, columns.last}, g);
  }
}

}  // namespace chord::CHORD_KERNELS
