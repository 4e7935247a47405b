// A panel of X̂'s columns as a GPU's work-group takes it through the factors and back, step by step. Its values are in
// memory of its own, which the caches hold; the weights of a step come to local memory as they lie, and are taken from
// there in any order. The order of all sums is the same for every size of the group.
#pragma once

#include "fit_places.hpp"
#include "group.hpp"
#include "weights_group.hpp"

namespace chord::CHORD_KERNELS {

/// Steps on a panel that begins with unit vectors, by all lanes of a group.
template <class T, class Group>
struct GroupPanelSteps {
  static constexpr int Width = Lane<T>::width;
  Group* group;
  Links links;
  View<const T> w;
  View<T> dw;
  std::size_t first;  ///< of the panel's columns
  int width;          ///< columns, those past X's last among them
  bool later;         ///< the group has summed gradients of another panel before
  bool semidefinite;
  T* local;                        ///< what a step needs of local memory
  static constexpr int share = 1;  ///< two lanes have a row of a panel together: 32 bytes

  /// An odd number of weights: neighbouring rows begin in different banks.
  CHORD_INLINE static std::size_t row_of_weights(std::size_t count) { return count | 1; }
  /// Bytes of `local`.
  CHORD_INLINE static std::size_t local_bytes(const Links& links, int lanes) {
    const std::size_t weights = local_size<T>(std::size_t(links.n) * row_of_weights(std::size_t(links.count))),
                      sums = weights_group<T>::local_bytes(lanes);
    return weights > sums ? weights : sums;
  }

  /// action(row, column) for what is a lane's own: Width columns of a row.
  template <class Action>
  CHORD_INLINE void for_items(int lane, Action action) const {
    const int pieces = width / Width, all = int(links.n) * pieces;
#pragma GCC unroll 1
    for (int item = lane; item < all; item += group->lanes()) {
      const int row = int(std::uint32_t(item) / std::uint32_t(pieces));
      action(row, (item - row * pieces) * Width);
    }
  }

  // The first step is of unit vectors. Its input is told by its number: a null pointer among others would be of any
  // kind of memory.
  CHORD_INLINE void product(int, int index, Step step, View<const T> in, View<T> out, View<const T>) const {
    const View<const T> factor = staged(w.factor(step.factor).data);
    group->each([&](int lane) {
      for_items(lane, [&](int row, int column) {
        vector<T, Width> sum;
        if (index > 0)
          sum = step.transposed ? gather_lane<T, Width, true, false>(links, std::uint32_t(row), factor, in, column)
                                : gather_lane<T, Width, false, false>(links, std::uint32_t(row), factor, in, column);
        else
          sum = step.transposed ? units<true>(row, column, factor) : units<false>(row, column, factor);
        store_aligned<Width>(out.row(std::size_t(row)) + column, sum);
      });
    });
  }

  /// The weights of a factor in local memory: 16 bytes at a time where they lie there as they do outside.
  CHORD_INLINE View<const T> staged(const T* factor) const {
    const int count = int(links.count), all = int(links.n) * count, size = int(row_of_weights(std::size_t(count)));
    if (size == count && all % Width == 0 && has_lanes(factor)) {
      group->each([&](int lane) {
#pragma GCC unroll 4
        for (int item = lane * Width; item < all; item += group->lanes() * Width)
          store_aligned<Width>(local + item, load_aligned<Width>(factor + item));
      });
      return {local, 0, 0, size};
    }
    // From one weight of a lane's to the next: so many rows and links.
    const int rows = int(std::uint32_t(group->lanes()) / std::uint32_t(count)), rest = group->lanes() - rows * count;
    group->each([&](int lane) {
      const int row = int(std::uint32_t(lane) / std::uint32_t(count));
      int k = lane - row * count;
      T* to = local + row * size + k;
#pragma GCC unroll 4
      for (int item = lane; item < all; item += group->lanes()) {
        *to = factor[item];
        const bool next_row = k + rest >= count;
        k += next_row ? rest - count : rest;
        to += rows * size + rest + (next_row ? size - count : 0);
      }
    });
    return {local, 0, 0, size};
  }

  /// Residuals are of chains alone.
  CHORD_INLINE void add(View<const T>, View<T>, bool) const {}

  /// What a factor makes of unit vectors: its columns.
  template <bool Transposed>
  CHORD_INLINE vector<T, Width> units(int row, int column, const View<const T>& factor) const {
    const Neighbours<Transposed> neighbour(std::size_t(row), links.n);
    vector<T, Width> sum = {};
#pragma GCC unroll 1
    for (int k = 0; k < int(links.count); ++k) {
      const std::uint32_t at = neighbour(links.offsets[k]);
      const T weight = factor.row(Transposed ? at : std::size_t(row))[k];
#pragma GCC unroll 4
      for (int b = 0; b < Width; ++b) sum[b] += at == std::uint32_t(first) + std::uint32_t(column + b) ? weight : T(0);
    }
    return sum;
  }

  // Terms and, in P Pᵀ, steps come to each factor twice; the first time begins its sum.
  CHORD_INLINE void gradient_weights(int term, int index, Step step, View<const T> adjoint, View<const T> input) const {
    const bool more = later || term > 0 || (semidefinite && step.transposed);
    const View<T> out = dw.factor(step.factor);
    if (index == 0) return gradient_of_units(step.transposed, adjoint, out.data, more);
    WeightsArguments<T> a{adjoint, input, out, links, 1, 1, width, more};
    if (step.transposed) {  // the two exchanged (panel.hpp says why), which lie alike
      a.dz.data = input.data;
      a.v.data = adjoint.data;
    }
    a.lanes = lanes_of_values;
    a.share = share;
    const auto rows = std::uint32_t(group->lanes() >> share);
#pragma GCC unroll 1
    for (std::uint32_t first_row = 0; first_row < std::uint32_t(links.n); first_row += rows)
      weights_group<T>::run_rows(*group, a, first_row, local);
  }

  CHORD_INLINE void gradient_of_units(bool transposed, const View<const T>& adjoint, T* out, bool more) const {
    const int count = int(links.count), all = int(links.n) * count;
    group->each([&](int lane) {
#pragma GCC unroll 1
      for (int item = lane; item < all; item += group->lanes()) {
        const int row = int(std::uint32_t(item) / std::uint32_t(count));
        const std::uint32_t to = Neighbours<false>(std::size_t(row), links.n)(links.offsets[item - row * count]);
        const T dot = transposed ? of_unit(adjoint, to, std::uint32_t(row)) : of_unit(adjoint, std::uint32_t(row), to);
        out[item] = more ? out[item] + dot : dot;
      }
    });
  }

  /// The value of a row in the column of unit vector `at`, where the panel has it.
  CHORD_INLINE T of_unit(const View<const T>& values, std::uint32_t row, std::uint32_t at) const {
    const std::uint32_t column = at - std::uint32_t(first);
    return column < std::uint32_t(width) ? values.row(row)[column] : T(0);
  }
};

/// What panel_residual needs of local memory: the squares of each item, and sums of them.
CHORD_INLINE std::size_t residual_sums(std::size_t n, std::size_t pieces) { return n * pieces + team; }

/// The difference of a panel from X, 0 beyond X and beyond a last column, multiplied by `share` as the way back wants
/// it, and the sum of its squares, by all lanes of a group.
template <class T, class Group>
CHORD_INLINE double panel_residual(const GroupPanelSteps<T, Group>& steps, const Columns<T>& x, std::size_t last,
                                   View<T> values, bool two, View<const T> others, T share, double* sums) {
  constexpr int Width = Lane<T>::width;
  Group& group = *steps.group;
  const int n = int(steps.links.n), pieces = steps.width / Width, items = n * pieces, first = int(steps.first);
  const int height = int(x.height), left = int(last) - first, columns = left < steps.width ? left : steps.width;
  const bool whole = n % Width == 0 && first % Width == 0 && has_lanes(x.dense);  // lanes take X in whole pieces
  group.each([&](int lane) {
    steps.for_items(lane, [&](int row, int c) {
      T* place = values.row(std::size_t(row)) + c;
      vector<T, Width> value = load_aligned<Width>(place);
      if (two) value = share * (value + load_aligned<Width>(others.row(std::size_t(row)) + c));
      if (x.dense && c < columns) {
        const T* from = x.dense + std::size_t(row) * std::size_t(n) + std::size_t(first + c);
        if (whole) value -= load_aligned<Width>(from);
#pragma GCC unroll 4
        for (int b = 0; b < Width; ++b)
          if (!whole && c + b < columns) value[b] -= from[b];
      }
#pragma GCC unroll 4
      for (int b = 0; b < Width; ++b)
        if (row >= height || c + b >= columns) value[b] = 0;
      store_aligned<Width>(place, value);
    });
  });
  if (!x.dense)
    group.each([&](int lane) {
      for (int c = 0; c < columns; ++c)
        for (std::int64_t e = x.starts[first + c] + lane; e < x.starts[first + c + 1]; e += group.lanes())
          values.row(std::size_t(x.rows[e]))[c] -= x.entries[e];
    });
  double* parts = sums + items;
  group.each([&](int lane) {
    steps.for_items(lane, [&](int row, int c) {
      T* place = values.row(std::size_t(row)) + c;
      const vector<T, Width> value = load_aligned<Width>(place);
      double sum = 0;
#pragma GCC unroll 4
      for (int b = 0; b < Width; ++b) sum += double(value[b]) * double(value[b]);
      sums[row * pieces + c / Width] = sum;
      store_aligned<Width>(place, share * value);
    });
  });
  group.each([&](int lane) {
    if (lane >= team) return;
    double sum = 0;
    for (int i = lane; i < items; i += team) sum += sums[i];
    parts[lane] = sum;
  });
  double all = 0;
  group.each([&](int) {  // a phase: afterwards the memory is for others
    all = 0;
    for (int i = 0; i < team; ++i) all += parts[i];
  });
  return all;
}

}  // namespace chord::CHORD_KERNELS
