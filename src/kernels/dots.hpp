// The gradient of a factor's weights on CPUs: dot products of a row with those of its neighbours.
#pragma once

#include "lanes.hpp"
#include "reach.hpp"

namespace chord::CHORD_KERNELS {

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

}  // namespace chord::CHORD_KERNELS
