// The values' gradient of a product as a GPU's work-group computes it. The weights of a row of the transposed factor
// lie in as many rows of the factor: the group brings what its rows need into local memory first, 16 bytes at a time,
// and what several links share once. A lane takes several rows where there are enough, so that links lead into the
// group's own rows more often. The order of all sums is that of the links.
#pragma once

#include "group.hpp"
#include "product_lane.hpp"

namespace chord::CHORD_KERNELS {

/// Rows that each lane takes: several where there are lanes enough to fill a GPU all the same.
template <class T>
std::int32_t rows_of_lane(const ProductArguments<T>& a) {
  constexpr std::int64_t most = 4;
  const std::int64_t lanes = a.sequences * a.links.n * a.columns / (a.lanes ? Lane<T>::width : 1);
  const std::int64_t fit = lanes / threads_of_gpu;
  return std::int32_t(fit < 1 ? 1 : fit < most ? fit : most);
}

/// Links whose weights are in local memory at a time.
inline constexpr int values_links = 16;

/// How a group's lanes share rows and columns.
template <class T>
struct ValuesTile {
  std::uint32_t across;  ///< lanes of a row
  std::uint32_t beside;  ///< rows side by side
  std::uint32_t rows;    ///< all of the group's
  std::uint32_t pieces;  ///< groups that a row takes
  std::uint32_t tiles;   ///< of a sequence

  CHORD_INLINE ValuesTile(const ProductArguments<T>& a, int lanes) {
    constexpr std::uint32_t most_rows = 2048 / sizeof(T);  // what local memory has room for
    across = std::uint32_t(a.columns) / std::uint32_t(a.lanes ? Lane<T>::width : 1);
    pieces = (across + std::uint32_t(lanes) - 1) / std::uint32_t(lanes);
    beside = pieces == 1 ? std::uint32_t(lanes) / across : 1;
    // More links than local memory has room for are summed in registers, of one row.
    const std::uint32_t wanted = a.links.count > values_links ? 1 : std::uint32_t(a.rows_each);
    rows = beside * (beside * wanted <= most_rows ? wanted : 1);
    tiles = (std::uint32_t(a.links.n) + rows - 1) / rows;
  }
};

template <class T>
struct values_group {
  static std::size_t groups(const ProductArguments<T>& a, int lanes) {
    if (a.columns == 0) return 0;
    const ValuesTile<T> tile(a, lanes);
    return std::size_t(a.sequences) * tile.tiles * tile.pieces;
  }
  static std::size_t local_bytes(const ProductArguments<T>& a, int lanes) {
    return a.columns == 0 ? 0 : local_size<T>(values_links * ValuesTile<T>(a, lanes).rows);
  }

  template <class Group>
  CHORD_INLINE static void run(Group& group, const ProductArguments<T>& a) {
    if (a.lanes)
      run_lanes<Lane<T>::width>(group, a);
    else
      run_lanes<1>(group, a);
  }

 private:
  template <int Width, class Group>
  CHORD_INLINE static void run_lanes(Group& group, const ProductArguments<T>& a) {
    const ValuesTile<T> tile(a, group.lanes());
    const auto index = std::uint32_t(group.index()), all = std::uint32_t(a.links.n);
    const std::uint32_t outer = index / tile.tiles, begin = (index - outer * tile.tiles) * tile.rows;
    const std::uint32_t sequence = tile.pieces == 1 ? outer : outer / tile.pieces;
    const std::uint32_t first_lane = (outer - sequence * tile.pieces) * std::uint32_t(group.lanes());
    const std::uint32_t valid = all - begin < tile.rows ? all - begin : tile.rows;
    T* weights = group.template local<T>(values_links * tile.rows);
    auto sums = group.template keep<vector<T, Width>>();
#pragma GCC unroll 1
    for (int first = 0; first < int(a.links.count); first += values_links) {
      const int left = int(a.links.count) - first, some = left < values_links ? left : values_links;
      const Part part{begin, valid, tile.rows, first, some};
      group.each([&](int lane) CHORD_INLINED {
        const View<const T> w = of_sequence(a.w, sequence);
        if (Width > 1 && a.lanes == lanes_of_all)
          stage<true>(lane, group.lanes(), part, a.links, w, weights);
        else
          stage<false>(lane, group.lanes(), part, a.links, w, weights);
      });
      group.each([&](int lane) CHORD_INLINED {
        const std::uint32_t slot = tile.pieces == 1 ? std::uint32_t(lane) / tile.across : 0;
        const std::uint32_t column = first_lane + std::uint32_t(lane) - slot * tile.across;
        if (slot >= tile.beside || column >= tile.across) return;
#pragma GCC unroll 1
        for (std::uint32_t row = slot; row < valid; row += tile.beside) {
          vector<T, Width> sum = {};
          if (first > 0) sum = sums[lane];
          add_links<Width>(row, column * Width, part, a, sequence, weights, sum);
          if (first + some == int(a.links.count))
            put_lane<T, Width>(sum, sequence, begin + row, column * Width, a);
          else
            sums[lane] = sum;
        }
      });
    }
  }

  /// Some links of the rows of a group.
  struct Part {
    std::uint32_t begin, valid, stride;
    int first, some;
  };

  /// weights[link, row] of a group's rows.
  template <bool Aligned>
  CHORD_INLINE static void stage(int lane, int lanes, const Part& part, const Links& links, const View<const T>& w,
                                 T* weights) {
    const RowsOf<const T, Aligned> rows(w);
#pragma GCC unroll 1
    for (std::uint32_t row = std::uint32_t(lane); row < part.valid; row += std::uint32_t(lanes)) {
      const Neighbours<true> neighbour(part.begin + row, links.n);
      int k = 0;
      if constexpr (Aligned) {
#pragma GCC unroll 1
        for (; k + 4 <= part.some; k += 4) stage_four(row, neighbour, k, part, links, rows, weights);
      }
#pragma GCC unroll 1
      for (; k < part.some; ++k)
        weights[std::uint32_t(k) * part.stride + row] = rows[neighbour(links.offsets[part.first + k])][part.first + k];
    }
  }

  /// Four links: 16 bytes of a row of the factor are brought by the first of them that needs one of these weights, for
  /// all that do.
  CHORD_INLINE static void stage_four(std::uint32_t row, const Neighbours<true>& neighbour, int k, const Part& part,
                                      const Links& links, const RowsOf<const T, true>& rows, T* weights) {
    Fours<T> four;
    four.template load_offsets<true>(links.offsets + part.first + k);
#pragma GCC unroll 4
    for (int b = 0; b < 4; ++b) {
      bool there = false;
#pragma GCC unroll 4
      for (int c = 0; c < b; ++c) there |= row + std::uint32_t(four.offset[c] - four.offset[b]) < part.valid;
      if (there) continue;
      four.template load_weights<true>(rows[neighbour(four.offset[b])] + part.first + k);
#pragma GCC unroll 4
      for (int c = b; c < 4; ++c) {
        const std::uint32_t to = row + std::uint32_t(four.offset[c] - four.offset[b]);
        if (c == b || to < part.valid) weights[std::uint32_t(k + c) * part.stride + to] = four.weight[c];
      }
    }
  }

  /// sum += Σ_k w·v over some links.
  template <int Width>
  CHORD_INLINE static void add_links(std::uint32_t row, std::size_t column, const Part& part,
                                     const ProductArguments<T>& a, std::size_t sequence, const T* weights,
                                     vector<T, Width>& sum) {
    const Neighbours<true> neighbour(part.begin + row, a.links.n);
    const RowsOf<const T, (Width > 1)> values(of_sequence(a.v, sequence), column);
    const std::int32_t* offsets = a.links.offsets + part.first;
    const T* weight = weights + row;
    int left = part.some;
    if (Width > 1 && a.lanes == lanes_of_all) {
#pragma GCC unroll 1
      for (; left >= 4; left -= 4, offsets += 4, weight += 4 * part.stride) {
        Fours<T> four;
        four.template load_offsets<true>(offsets);
        vector<T, Width> value[4];  // all of them are under way before the first is waited for
#pragma GCC unroll 4
        for (int b = 0; b < 4; ++b) value[b] = load_aligned<Width>(values[neighbour(four.offset[b])]);
#pragma GCC unroll 4
        for (int b = 0; b < 4; ++b) sum += weight[std::uint32_t(b) * part.stride] * value[b];
      }
    }
#pragma GCC unroll 1
    for (; left > 0; --left, ++offsets, weight += part.stride)
      sum += *weight * load_aligned<Width>(values[neighbour(*offsets)]);
  }
};

}  // namespace chord::CHORD_KERNELS
