// What a lane of a GPU has of a network's tiles (network_tile.hpp): blocks of units that a network is cut into, a
// lane's rows and units of such a block, and the products that it adds to them.
#pragma once

#include "network.hpp"
#include "network_tile.hpp"

namespace chord::CHORD_KERNELS {

/// Blocks of inputs, hidden units and outputs that tiles are made of, and the parameters of each. In 32 bits, which is
/// what a GPU computes addresses in.
template <class T>
struct NetworkBlocks {
  using Tile = NetworkTile<T>;
  int all_ins, all_hidden, all_outs;

  CHORD_INLINE explicit NetworkBlocks(const Network& net)
      : all_ins(int(net.ins)), all_hidden(int(net.hidden)), all_outs(int(net.outs)) {}

  CHORD_INLINE int ins() const { return (all_ins + Tile::units - 1) / Tile::units; }
  CHORD_INLINE int hidden() const { return (all_hidden + Tile::units - 1) / Tile::units; }
  CHORD_INLINE int outs() const { return (all_outs + Tile::outs - 1) / Tile::outs; }
  /// How many there are in a block.
  CHORD_INLINE int ins_of(int block) const { return count(all_ins, block, Tile::units); }
  CHORD_INLINE int hidden_of(int block) const { return count(all_hidden, block, Tile::units); }
  CHORD_INLINE int outs_of(int block) const { return count(all_outs, block, Tile::outs); }

  CHORD_INLINE int bias() const { return all_hidden * all_ins; }
  CHORD_INLINE int weight_out() const { return bias() + all_hidden; }
  CHORD_INLINE int bias_out() const { return weight_out() + all_outs * all_hidden; }
  CHORD_INLINE int size() const { return bias_out() + all_outs; }

  CHORD_INLINE int first_at(int hidden, int in) const { return hidden * Tile::units * all_ins + in * Tile::units; }
  CHORD_INLINE int second_at(int out, int hidden) const {
    return weight_out() + out * Tile::outs * all_hidden + hidden * Tile::units;
  }
  CHORD_INLINE Part<T> first_layer(const T* p, int hidden, int in) const {
    return {p + first_at(hidden, in), all_ins, hidden_of(hidden), ins_of(in)};
  }
  CHORD_INLINE Part<T> second_layer(const T* p, int out, int hidden) const {
    return {p + second_at(out, hidden), all_hidden, outs_of(out), hidden_of(hidden)};
  }

 private:
  CHORD_INLINE static int count(int all, int block, int size) {
    const int left = all - block * size;
    return left < size ? left : size;
  }
};

/// To a multiple of four: what is behind the last is zero.
CHORD_INLINE int in_fours(int count) { return (count + 3) / 4 * 4; }

/// The part of a lane in its team's products: rows_each rows, and four units of a block.
template <class T>
struct NetworkLane {
  int in_team, row, unit;
  CHORD_INLINE explicit NetworkLane(int lane)
      : in_team(lane % team), row(in_team / 8 * NetworkTile<T>::rows_each), unit(in_team % 8 * 4) {}
};

/// A lane's rows and units of a block.
template <class T>
struct LaneBlock {
  T values[NetworkTile<T>::rows_each][4];

  CHORD_INLINE void fill(T value) {
#pragma GCC unroll 8
    for (auto& row : values)
#pragma GCC unroll 4
      for (T& each : row) each = value;
  }

  /// Every row with the four values at `bias`.
  CHORD_INLINE void begin_with(const T* bias) {
    const vector<T, 4> first = load_aligned<4>(bias);
#pragma GCC unroll 8
    for (auto& row : values)
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j) row[j] = first[j];
  }

  /// body(value, column, the place of four rows in a tile that is turned over) for four values at a time.
  template <class Body>
  CHORD_INLINE void by_fours(const NetworkLane<T>& lane, Body body) {
    using Tile = NetworkTile<T>;
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j)
#pragma GCC unroll 2
      for (int first = 0; first < Tile::rows_each; first += 4) {
        vector<T, 4> some = {};
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) some[i] = values[first + i][j];
        body(some, Tile::turned(lane.unit + j, lane.row + first));
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) values[first + i][j] = some[i];
      }
  }

  /// From and to a tile where nobody else has the lane's places.
  CHORD_INLINE void load(const NetworkLane<T>& lane, const T* tile, bool there) {
    by_fours(lane, [&](vector<T, 4>& some, int place)
                       CHORD_INLINED { some = there ? load_four(tile, place) : vector<T, 4>{}; });
  }
  CHORD_INLINE void store(const NetworkLane<T>& lane, T* tile) {
    by_fours(lane, [&](vector<T, 4>& some, int place) CHORD_INLINED { store_four(tile, place, some); });
  }

  /// to[row, unit] (+)= values, for the rows and units there are.
  CHORD_INLINE void flush(const NetworkLane<T>& lane, int rows, int units, T* to, int stride, bool accumulate) const {
#pragma GCC unroll 8
    for (int r = 0; r < NetworkTile<T>::rows_each; ++r)
      if (lane.row + r < rows)
        add_values(to + (lane.row + r) * stride + lane.unit, values[r], units - lane.unit, accumulate);
  }
};

/// sum += W₁ x for a lane's rows and hidden units.
template <class T>
CHORD_INLINE void add_first_layer(const NetworkLane<T>& lane, const T* x, const T* w, int ins, LaneBlock<T>& sum) {
  add_products_along(
      x, lane.row, w, [&](int j, int k) CHORD_INLINED { return NetworkTile<T>::first(lane.unit + j, k); },
      in_fours(ins), sum.values);
}

/// dx += W₁ᵀ dh for a lane's rows and inputs.
template <class T>
CHORD_INLINE void add_input_gradient(const NetworkLane<T>& lane, const T* dh, const T* w, int hidden,
                                     LaneBlock<T>& dx) {
  add_products_across(
      dh, lane.row, w, [&](int k) CHORD_INLINED { return NetworkTile<T>::first(k, lane.unit); }, in_fours(hidden),
      dx.values);
}

/// h = gelu(sum) for a lane's places in a tile, and the slopes beside it where they are wanted. In memory and in a
/// loop: all values at once would take all registers, and their code the cache for instructions.
template <class T>
CHORD_INLINE void activate(const NetworkLane<T>& lane, LaneBlock<T>& sum, T* h, T* slopes) {
  using Tile = NetworkTile<T>;
  sum.store(lane, h);
  CHORD_ROLLED
  for (int j = 0; j < 4; ++j)
#pragma GCC unroll 2
    for (int first = 0; first < Tile::rows_each; first += 4) {
      const int place = Tile::turned(lane.unit, lane.row + first) + j * Tile::rows;
      vector<T, 4> slope = {};
      store_four(h, place, gelu_of_four<T>(load_four(h, place), slope));
      if (slopes) store_four(slopes, place, slope);
    }
}

/// How many rows a tile has of those that are left.
template <class T>
CHORD_INLINE int rows_of_tile(int left) {
  return left < 0 ? 0 : left < NetworkTile<T>::rows ? left : NetworkTile<T>::rows;
}

}  // namespace chord::CHORD_KERNELS
