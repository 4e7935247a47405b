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

#include "lanes.hpp"
#include "values_group.hpp"
#include "weights_group.hpp"

namespace chord::CHORD_KERNELS {

/// z = Σ_k w·v (+ add, where given), of one factor and one sequence.
template <class T>
struct Gather {
  Links links;
  View<const T> w, v;
  View<T> z;
  View<const T> add;  ///< may be z itself
};

/// How many rows away each link's neighbour lies, back where negative: the same for all rows until the first of them
/// whose neighbour lies beyond the end. Knowing them beforehand leaves nothing but loads and products in inner loops.
template <bool Transposed>
struct Reach {
  static constexpr std::int64_t limit = 32;  ///< links
  std::int64_t distance[limit];
  std::size_t end;  ///< the first row for which they differ

  CHORD_INLINE Reach(const Links& links, Range rows) : end(rows.last) {
    const std::size_t n = links.n;
    for (int k = 0; k < links.count; ++k) {
      const std::size_t offset = links.offsets[k], turn = Transposed ? offset : n - offset;
      const bool before = rows.first < turn;
      distance[k] = std::int64_t(Transposed ? (before ? n - offset : -offset) : (before ? offset : offset - n));
      if (before && turn < end) end = turn;
    }
  }
  CHORD_INLINE std::int64_t operator[](int link) const { return distance[link]; }
};

/// The same for one row, link by link: a GPU's lane has no more, and registers cannot be indexed.
template <bool Transposed>
struct ReachOfRow {
  Links links;
  std::size_t row;

  CHORD_INLINE std::int64_t operator[](int link) const {
    return std::int64_t(neighbour<Transposed>(row, links.offsets[link], links.n)) - std::int64_t(row);
  }
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
/// Asks for the weights of a few rows that are wanted soon. A factor of a long sequence passes by once, from memory or
/// a shared cache, and what guesses the next lines by itself is behind: rows of eight took 1.4 to 2.8 times as long
/// (Zen 5). With longer rows there are fewer weights for what is done, and asking cost 1 to 3 % where they were near.
template <Access Kind, class T>
CHORD_INLINE void fetch_weights(const View<T>& w, std::size_t row, int rows) {
  constexpr std::int64_t ahead = 4096 / sizeof(T);
  prefetch<Kind>(w.row(row) + ahead, rows * w.row_stride);
}

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

template <bool Transposed>
struct product_of {
  using types = Reals;
  template <class T>
  using cpu = Tile<32, 0, Block<cpu_lanes<T>, 8, 1>, Block<cpu_lanes<T>, 4, 2>, Block<cpu_lanes<T>, 2, 4>,
                   Block<cpu_lanes<T>, 1, 4>>;
  template <class T>
  using gpu = Lane<T>;

  template <class T>
  using Arguments = ProductArguments<T>;

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_lane<Shape>) a.lanes = lanes_in(a);
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    if constexpr (is_lane<Shape>)
      return {std::size_t(a.sequences), std::size_t(a.links.n),
              a.lanes ? std::size_t(a.columns) / Shape::width : std::size_t(a.columns)};
    else
      return {std::size_t(a.sequences), divide_up(a.links.n, Shape::rows), 1};
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
    if constexpr (is_lane<Shape>) {
      if (a.lanes)
        product_lane<T, Shape::width>(sequence, tile, lane * Shape::width, a);
      else
        product_lane<T, 1>(sequence, tile, lane, a);
    } else {
      gather_tile<T, Transposed>(typename Shape::blocks(), piece_of(tile, Shape::rows, a.links.n),
                                 {0, std::size_t(a.columns)},
                                 Gather<T>{a.links, a.w.sequence(sequence), a.v.sequence(sequence),
                                           a.z.sequence(sequence), a.add.sequence(sequence)});
    }
  }
};
struct product : product_of<false> {};
struct product_gradient_values : product_of<true> {
  template <class T>
  using gpu = Group;

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_group<Shape>) {
      a.lanes = lanes_in(a);
      a.rows_each = rows_of_lane(a);
    }
  }

  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int lanes) {
    return values_group<T>::groups(a, lanes);
  }
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>& a, int lanes) {
    return values_group<T>::local_bytes(a, lanes);
  }
  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    values_group<T>::run(group, a);
  }
};

/// dw (+)= ⟨dz[i,:], v[(i+o_k),:]⟩ over `columns` columns, of one factor and one sequence.
template <class T>
struct Dots {
  Links links;
  View<const T> dz, v;
  View<T> dw;
  std::size_t columns;
  bool accumulate;
};

/// The sums for Count links of one row, whose neighbours' values begin `start` away from the row's own. Columns are
/// taken in vectors of Lanes; where it is known how many hold them all, nothing but loads and products is left.
template <class T, int Lanes, int Count, int Vectors>
CHORD_INLINE vector<T, Count> dots_of(const T* gradient, const T* values, const std::int64_t* start,
                                      std::size_t columns) {
  vector<T, Lanes> sum[Count] = {};
  std::size_t c = 0;
  const auto add_products = [&](const auto& lanes) CHORD_INLINED {
    const vector<T, Lanes> g = lanes.load(gradient + c);
#pragma GCC unroll 8
    for (int b = 0; b < Count; ++b) sum[b] += g * lanes.load(values + c + start[b]);
  };
  if constexpr (Vectors > 0) {
#pragma GCC unroll 4
    for (; c < Vectors * Lanes; c += Lanes) add_products(AllLanes<T, Lanes>());
  } else {
#pragma GCC unroll 1
    for (; c + Lanes <= columns; c += Lanes) add_products(AllLanes<T, Lanes>());
    if constexpr (FirstLanes<T, Lanes>::possible)
      if (c < columns) add_products(FirstLanes<T, Lanes>(columns - c));
  }
  vector<T, Count> dots;
  sums_of<T>(sum, dots);
  if constexpr (Vectors == 0 && !FirstLanes<T, Lanes>::possible)
#pragma GCC unroll 1
    for (; c < columns; ++c) {
      vector<T, Count> column = {};
#pragma GCC unroll 8
      for (int b = 0; b < Count; ++b) column[b] = (values + c)[start[b]];  // the start may lie before
      dots += gradient[c] * column;
    }
  return dots;
}

/// out (+)= those of the dots that are there.
template <class T, int Count>
CHORD_INLINE void put_dots(T* out, const vector<T, Count>& dots, int left, bool accumulate) {
  if (!accumulate) {
    store_first<Count>(out, dots, left);
  } else if (left >= Count) {
    store<Count>(out, dots + load<Count>(out));
  } else {
#pragma GCC unroll 8
    for (int b = 0; b < Count; ++b)
      if (b < left) out[b] += dots[b];
  }
}

#ifdef __AVX512F__
/// Four links of a row of eight float32 and the next one behind it, two rows to a register: the sums of dots_of, in its
/// order.
CHORD_INLINE void dot_pair(std::size_t row, int first, const Dots<float>& d, const std::int64_t* start) {
  const vector<float, 16> gradient = load<16>(d.dz.row(row));
  vector<float, 16> each[4];
#pragma GCC unroll 4
  for (int b = 0; b < 4; ++b) each[b] = gradient * load<16>(d.v.row(row) + start[first + b]);
  const vector<float, 16> sums = sum_pairs(sum_pairs(each[0], each[1]), sum_pairs(each[2], each[3]));
  const vector<float, 8> dots = __builtin_shufflevector(sums, sums, 0, 1, 2, 3, 8, 9, 10, 11) +
                                __builtin_shufflevector(sums, sums, 4, 5, 6, 7, 12, 13, 14, 15);
  const int left = int(d.links.count) - first;
  put_dots<float, 4>(d.dw.row(row) + first, __builtin_shufflevector(dots, dots, 0, 1, 2, 3), left, d.accumulate);
  put_dots<float, 4>(d.dw.row(row + 1) + first, __builtin_shufflevector(dots, dots, 4, 5, 6, 7), left, d.accumulate);
}
#endif

/// All links of some rows: as many at a time as fill a vector together, those left over in half of one.
template <class T, int Width, int Lanes, int Vectors>
CHORD_OUTLINE void dot_rows(Range rows, Dots<T> d) {
  constexpr int Half = Width / 2, limit = int(Reach<false>::limit);
  const std::int64_t links = d.links.count;
  for (std::int64_t done = 0; done < links; done += d.links.count) {
    d.links.count = links - done < limit ? links - done : limit;
    const int count = int(d.links.count);
    for (std::size_t row = rows.first; row < rows.last;) {
      const Reach<false> reach(d.links, {row, rows.last});
      std::int64_t start[limit + Width];  // of each link's neighbour; the last one's again where a vector has room
      for (int k = 0; k < count + Width; ++k) start[k] = reach[k < count ? k : count - 1] * d.v.row_stride;
#ifdef __AVX512F__
      if constexpr (Width == 8 && Vectors == 1)
        if (d.dz.row_stride == 8 && d.v.row_stride == 8)
          for (; row + 2 <= reach.end; row += 2) {
            fetch_weights<Access::write>(d.dw, row, 2);
            for (int k = 0; k < count; k += 4) dot_pair(row, k, d, start);
          }
#endif
      for (; row < reach.end; ++row) {
        const T *gradient = d.dz.row(row), *values = d.v.row(row);
        T* out = d.dw.row(row);
        int k = 0;
        for (; k + Half < count; k += Width)
          put_dots<T, Width>(out + k, dots_of<T, Lanes, Width, Vectors>(gradient, values, start + k, d.columns),
                             count - k, d.accumulate);
        if constexpr (Half / 2 * sizeof(T) >= 16)  // numbers of 8 bytes, and processors with vectors of 64
          if (k < count && count - k <= Half / 2) {
            put_dots<T, Half / 2>(out + k, dots_of<T, Lanes, Half / 2, Vectors>(gradient, values, start + k, d.columns),
                                  count - k, d.accumulate);
            continue;
          }
        if (k < count)
          put_dots<T, Half>(out + k, dots_of<T, Lanes, Half, Vectors>(gradient, values, start + k, d.columns),
                            count - k, d.accumulate);
      }
    }
    d.links.offsets += d.links.count;
    d.dw.data += d.links.count;
  }
}

/// The same by the block of a tile. Where the processor has wider vectors, rows take them that are long enough to pay
/// for the longer sum at their end.
template <class T, class Block>
CHORD_INLINE void dot_tile(List<Block>, Range rows, const Dots<T>& d) {
  constexpr int Width = Block::width;
  if constexpr (native_lanes<T> > Width) {
    constexpr int Wide = 8;  // links at a time: enough sums to hide the latency of an addition
    if (d.columns == 4 * std::size_t(native_lanes<T>)) return dot_rows<T, Wide, native_lanes<T>, 4>(rows, d);
    if (d.columns >= 4 * std::size_t(Width)) return dot_rows<T, Wide, native_lanes<T>, 0>(rows, d);
  }
  if (d.columns == Width)
    dot_rows<T, Width, Width, 1>(rows, d);
  else if (d.columns == 2 * Width)
    dot_rows<T, Width, Width, 2>(rows, d);
  else
    dot_rows<T, Width, Width, 0>(rows, d);
}

struct product_gradient_weights {
  using types = Reals;
  template <class T>
  using cpu = Tile<32, 0, Block<cpu_lanes<T>, 1, 1>>;
  template <class T>
  using gpu = Group;

  template <class T>
  using Arguments = WeightsArguments<T>;

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_group<Shape>) prepare_weights(a);
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.factors * a.sequences), divide_up(a.links.n, Shape::rows)};
  }
  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int lanes) {
    return weights_group<T>::groups(a, lanes);
  }
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>&, int lanes) {
    return weights_group<T>::local_bytes(lanes);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.factors * a.sequences) * double(a.links.n),
                 all = rows * double(a.summed) * double(a.columns);
    return {2 * all * double(a.links.count),
            (2 * all + rows * double(a.links.count) * (a.accumulate ? 2 : 1)) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t outer, std::size_t tile, std::size_t, const Arguments<T>& a) {
    const Range rows = piece_of(tile, Shape::rows, a.links.n);
    const std::size_t factor = a.factors > 1 ? outer / a.sequences : 0, sequence = outer - factor * a.sequences;
    for (std::int64_t s = 0; s < a.summed; ++s) {
      const std::size_t from = sequence * a.summed + s;
      dot_tile(typename Shape::blocks(), rows,
               Dots<T>{a.links, a.dz_of(factor).sequence(from), a.v_of(factor).sequence(from),
                       a.dw.factor(factor).sequence(sequence), std::size_t(a.columns), a.accumulate || s > 0});
    }
  }
  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    weights_group<T>::run(group, a);
  }
};

}  // namespace chord::CHORD_KERNELS
