// The weights' gradient as a GPU's work-group computes it: a few lanes share a row, each with 16 bytes of its columns
// at a time, so that their requests are whole sectors; sums over the lanes of a row go through local memory. The order
// of all sums follows from the sizes alone, not from the group's.
#pragma once

#include "group.hpp"
#include "product_lane.hpp"

namespace chord::CHORD_KERNELS {

/// dw (+)= ⟨dz[i,:], v[(i+o_k),:]⟩; where one w serves `summed` sequences, their contributions are added in order. Of
/// several factors at once: what belongs to each is a factor stride apart, but for the ends, which may lie elsewhere.
template <class T>
struct WeightsArguments {
  View<const T> dz, v;
  View<T> dw;
  Links links;
  std::int64_t sequences, summed, columns;  ///< sequences: those that dw has
  std::int32_t accumulate;
  std::int64_t factors = 1;
  View<const T> last_dz = {}, first_v = {};  ///< the last factor's dz, the first one's v, where dz and v lack them
  std::int32_t lanes = 0, share = 0;         ///< for GPUs, by prepare(); share: 2^share lanes have a row together

  CHORD_INLINE View<const T> dz_of(std::size_t factor) const {
    return chosen(last_dz && std::int64_t(factor) == factors - 1, last_dz, dz.factor(factor));
  }
  CHORD_INLINE View<const T> v_of(std::size_t factor) const {
    const std::size_t place = first_v && factor > 0 ? factor - 1 : factor;
    return chosen(first_v && factor == 0, first_v, v.factor(place));
  }

 private:
  // Number by number: a choice of structs would be one of addresses, and bring both into memory.
  CHORD_INLINE static View<const T> chosen(bool first, const View<const T>& a, const View<const T>& b) {
    return {first ? a.data : b.data, 0, first ? a.sequence_stride : b.sequence_stride,
            first ? a.row_stride : b.row_stride};
  }
};

/// Lanes of a row: enough to fill a device where there are few rows, and no more than there is work for.
template <class T>
std::int32_t lanes_of_row(const WeightsArguments<T>& a, std::int32_t width) {
  constexpr std::int64_t most = 5, least = 2;
  const std::int64_t rows = a.factors * a.sequences * a.links.n, pieces = a.columns / width;
  std::int32_t share = 0;
  while (share < most && (std::int64_t(2) << share) <= pieces && (share < least || rows << share < threads_of_gpu))
    ++share;
  return share;
}

template <class T>
void prepare_weights(WeightsArguments<T>& a) {
  const bool values = a.columns % Lane<T>::width == 0 && has_lanes(a.links.offsets) && has_near_lanes(a.dz) &&
                      has_near_lanes(a.v) && has_near_lanes(a.last_dz) && has_near_lanes(a.first_v);
  const bool weights = a.links.count % 4 == 0 && has_lanes(a.dw);
  a.lanes = !values ? lanes_of_nothing : weights ? lanes_of_all : lanes_of_values;
  a.share = lanes_of_row(a, values ? Lane<T>::width : 1);
}

/// Links whose sums are in local memory at a time.
inline constexpr int links_at_once = 16;
/// Where a lane's sum of a link lies there. Pieces of 16 bytes are swapped within a line of 128, which floats of two
/// lanes share, so that lanes find different banks: those that write the same links side by side, and those that read
/// one row after the other, whatever number of lanes a row has.
template <class T>
CHORD_INLINE int place_of_sum(int lane, int link) {
  constexpr int each = Lane<T>::width, pieces = links_at_once / each;
  const int pair = lane >> 1, odd = __builtin_popcount(unsigned(pair)) & 1;
  const int swapped = pieces == 4 ? odd << 2 | (pair & 3) : (lane & 6) | (odd ^ (lane & 1));
  return ((lane * pieces + link / each) ^ swapped) * each + link % each;
}
/// Count neighbouring sums of a lane's.
template <int Count, class T>
CHORD_INLINE vector<T, Count> load_sums(const T* sums, int lane, int link) {
  constexpr int each = Count < Lane<T>::width ? Count : Lane<T>::width;
  vector<T, Count> all = {};
#pragma GCC unroll 2
  for (int first = 0; first < Count; first += each) {
    const auto some = load_aligned<each>(sums + place_of_sum<T>(lane, link + first));
#pragma GCC unroll 4
    for (int b = 0; b < each; ++b) all[first + b] = some[b];
  }
  return all;
}

template <class T, int Width>
CHORD_INLINE T sum_of(const vector<T, Width>& value) {
  if constexpr (Width == 4)
    return (value[0] + value[1]) + (value[2] + value[3]);
  else if constexpr (Width == 2)
    return value[0] + value[1];
  else
    return value[0];
}

/// One row's place among the rows of all factors and sequences.
struct RowPlace {
  std::uint32_t factor, sequence, row;
  CHORD_INLINE RowPlace(std::uint32_t all, std::uint32_t sequences, std::uint32_t n) {
    const std::uint32_t outer = all / n;
    row = all - outer * n;
    factor = outer / sequences;
    sequence = outer - factor * sequences;
  }
};

/// A lane's share of the products of a row with some links, into `sums`. InFours: links are a multiple of four.
template <class T, int Width, bool InFours>
CHORD_INLINE void dot_lane(const RowPlace& at, int lane, int first, int some, const WeightsArguments<T>& a, T* sums) {
  constexpr bool Near = Width > 1;
  const View<const T> dz = a.dz_of(at.factor), v = a.v_of(at.factor);
  const Neighbours<false> neighbour(at.row, a.links.n);
  const int piece = lane & ((1 << a.share) - 1), step = Width << a.share, columns = int(a.columns);
#pragma GCC unroll 1
  for (int k = 0; k < some; k += 4) {
    vector<T, Width> sum[4] = {};
    Fours<T> four;
    if (InFours || (Near && k + 4 <= some)) {
      four.template load_offsets<true>(a.links.offsets + first + k);
    } else {
#pragma GCC unroll 4
      for (int b = 0; b < 4; ++b) four.offset[b] = k + b < some ? a.links.offsets[first + k + b] : 0;
    }
    std::uint32_t from[4];
#pragma GCC unroll 4
    for (int b = 0; b < 4; ++b) from[b] = neighbour(four.offset[b]);
#pragma GCC unroll 1
    for (std::int64_t s = 0; s < a.summed; ++s) {
      const std::int64_t sequence = std::int64_t(at.sequence) * a.summed + s;
      View<const T> gradients = dz, values = v;
      gradients.data += sequence * dz.sequence_stride;
      values.data += sequence * v.sequence_stride;
      const T* gradient = RowsOf<const T, Near>(gradients)[at.row];
      const RowsOf<const T, Near> rows(values);
      const T* value[4];
#pragma GCC unroll 4
      for (int b = 0; b < 4; ++b) value[b] = rows[from[b]];
#pragma GCC unroll 1
      for (int c = piece * Width; c < columns; c += step) {
        const vector<T, Width> g = load_aligned<Width>(gradient + c);
#pragma GCC unroll 4
        for (int b = 0; b < 4; ++b) sum[b] += g * load_aligned<Width>(value[b] + c);
      }
    }
    constexpr int each = Lane<T>::width;
#pragma GCC unroll 2
    for (int b = 0; b < 4; b += each) {
      vector<T, each> dots = {};
#pragma GCC unroll 4
      for (int c = 0; c < each; ++c) dots[c] = sum_of<T, Width>(sum[b + c]);
      store_aligned<each>(sums + place_of_sum<T>(lane, k + b), dots);
    }
  }
}

/// The sums of a row's lanes, the first of which is `lane`, from local memory to dw: Count links from `link` on.
template <class T, int Count>
CHORD_INLINE void add_lanes(const T* sums, int lane, int lanes, int link, bool accumulate, T* out) {
  vector<T, Count> sum = load_sums<Count>(sums, lane, link);
#pragma GCC unroll 1
  for (int p = 1; p < lanes; ++p) sum += load_sums<Count>(sums, lane + p, link);
  if (accumulate) sum += load_aligned<Count>(out);
  store_aligned<Count>(out, sum);
}

template <class T>
struct weights_group {
  static std::size_t rows(const WeightsArguments<T>& a) {
    return std::size_t(a.factors) * std::size_t(a.sequences) * std::size_t(a.links.n);
  }
  /// A sum over no sequences changes nothing.
  static std::size_t groups(const WeightsArguments<T>& a, int lanes) {
    return a.summed > 0 ? divide_up(rows(a), lanes >> a.share) : 0;
  }
  CHORD_INLINE static std::size_t local_bytes(int lanes) { return local_size<T>(std::size_t(lanes) * links_at_once); }

  template <class Group>
  CHORD_INLINE static void run(Group& group, const WeightsArguments<T>& a) {
    T* sums = group.template local<T>(std::size_t(group.lanes()) * links_at_once);
    run_rows(group, a, std::uint32_t(group.index()) * std::uint32_t(group.lanes() >> a.share), sums);
  }

  /// As many rows as a group has lanes for; `sums`: local memory, local_bytes() of it.
  template <class Group>
  CHORD_INLINE static void run_rows(Group& group, const WeightsArguments<T>& a, std::uint32_t first_row, T* sums) {
    const int each = group.lanes() >> a.share;
    const auto rows = std::uint32_t(a.factors * a.sequences * a.links.n);
#pragma GCC unroll 1
    for (int first = 0; first < int(a.links.count); first += links_at_once) {
      const int left = int(a.links.count) - first, some = left < links_at_once ? left : links_at_once;
      group.each([&](int lane) {
        const std::uint32_t all = first_row + std::uint32_t(lane >> a.share);
        if (all >= rows) return;
        const RowPlace at(all, std::uint32_t(a.sequences), std::uint32_t(a.links.n));
        if (a.lanes == lanes_of_all)
          dot_lane<T, Lane<T>::width, true>(at, lane, first, some, a, sums);
        else if (a.lanes)
          dot_lane<T, Lane<T>::width, false>(at, lane, first, some, a, sums);
        else
          dot_lane<T, 1, false>(at, lane, first, some, a, sums);
      });
      group.each([&](int lane) {
        if (a.lanes == lanes_of_all)
          put<4>(first_row, rows, each, lane, group.lanes(), first, some, a, sums);
        else
          put<1>(first_row, rows, each, lane, group.lanes(), first, some, a, sums);
      });
    }
  }

 private:
  /// Lanes side by side take the links of a row, Count each, then those of the next.
  template <int Count>
  CHORD_INLINE static void put(std::uint32_t first_row, std::uint32_t rows, int each, int lane, int lanes, int first,
                               int some, const WeightsArguments<T>& a, const T* sums) {
    constexpr int lanes_of_links = links_at_once / Count;
    const int link = lane % lanes_of_links * Count;
    if (link >= some) return;
    for (int r = lane / lanes_of_links; r < each && first_row + std::uint32_t(r) < rows; r += lanes / lanes_of_links) {
      const RowPlace at(first_row + std::uint32_t(r), std::uint32_t(a.sequences), std::uint32_t(a.links.n));
      T* out = a.dw.data + std::int64_t(at.factor) * a.dw.factor_stride +
               std::int64_t(at.sequence) * a.dw.sequence_stride + std::int64_t(at.row) * a.dw.row_stride + first + link;
      add_lanes<T, Count>(sums, r << a.share, 1 << a.share, link, a.accumulate, out);
    }
  }
};

}  // namespace chord::CHORD_KERNELS
