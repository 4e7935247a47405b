// The Chord product and its two gradients, all of them gathers: every output is written by one lane, in one order.
//
//   product                    z[i,:]  = Σ_k w[i,k]       · v[(i+o_k) mod n, :]
//   product_gradient_values    z[j,:]  = Σ_k w[j−o_k, k]  · v[(j−o_k) mod n, :]      (the transpose of the first)
//   product_gradient_weights   dw[i,k] = ⟨dz[i,:], v[(i+o_k) mod n, :]⟩
//
// Offsets are reduced to 0 ≤ o < n beforehand. How CPUs do it is in gather.hpp and dots.hpp, what a GPU's work-items do
// in product_lane.hpp, and what its groups do in values_group.hpp and weights_group.hpp.
#pragma once

#include "dots.hpp"
#include "gather.hpp"
#include "values_group.hpp"
#include "weights_group.hpp"

namespace chord::CHORD_KERNELS {

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
