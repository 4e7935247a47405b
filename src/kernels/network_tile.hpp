// What networks on GPUs are computed in: a team of lanes holds a tile of rows in local memory and sums in registers.
//
// A tile of values is turned over, [value, row], so that a lane reads the same value of several rows at once;
// parameters lie as they are stored, [out, in]. In both, pieces of 16 bytes are swapped within a line, differently from
// line to line, so that lanes that read or write at the same time find different banks of the memory.
#pragma once

#include "group.hpp"

namespace chord::CHORD_KERNELS {

template <class T>
struct NetworkTile {
  static constexpr int rows_each = 32 / sizeof(T);  ///< of a lane
  static constexpr int rows = 8 * rows_each;
  static constexpr int units = 32;  ///< inputs, or hidden ones, at a time
  static constexpr int outs = 16;   ///< outputs at a time

  static constexpr int values = units * rows, out_values = outs * rows;      ///< numbers of a tile
  static constexpr int weights = units * units, out_weights = outs * units;  ///< numbers of a block of parameters

  /// Where value k of a row lies. Of four rows that begin at a multiple of four load_four() knows the places.
  CHORD_INLINE static int turned(int k, int row) { return k * rows + swapped(row, k & 28); }
  /// Where a parameter of the first layer and of the second lies: lanes read four neighbouring lines of the first at a
  /// time, or every fourth of the second.
  CHORD_INLINE static int first(int out, int in) { return out * units + swapped(in, out & 28); }
  CHORD_INLINE static int second(int out, int in) { return out * units + swapped(in, out * 4 & 28); }
  /// Of numbers that lie as they are counted, in fours.
  CHORD_INLINE static int in_order(int i) { return swapped(i, 0); }

 private:
  /// A line is 32 numbers; `by`: a multiple of four. Floats are swapped in fours; of doubles, whose fours have two
  /// pieces, in pairs, and the second half's pairs with each other, too.
  CHORD_INLINE static int swapped(int i, int by) {
    return sizeof(T) == sizeof(float) ? i ^ by : i ^ by / 2 ^ (i >> 3 & 2);
  }
};

/// Four numbers of a tile, the first of which lies at a place.
template <class T>
CHORD_INLINE vector<T, 4> load_four(const T* tile, int place) {
  if constexpr (Lane<T>::width == 4) {
    return load_aligned<4>(tile + place);
  } else {
    const vector<T, 2> a = load_aligned<2>(tile + place), b = load_aligned<2>(tile + (place ^ 2));
    return vector<T, 4>{a[0], a[1], b[0], b[1]};
  }
}
template <class T>
CHORD_INLINE void store_four(T* tile, int place, const vector<T, 4>& four) {
  if constexpr (Lane<T>::width == 4) {
    store_aligned<4>(tile + place, four);
  } else {
    store_aligned<2>(tile + place, vector<T, 2>{four[0], four[1]});
    store_aligned<2>(tile + (place ^ 2), vector<T, 2>{four[2], four[3]});
  }
}

/// Some rows and columns of a matrix in memory; the rest of a tile is zero.
template <class T>
struct Part {
  const T* data;
  int stride;  ///< from row to row
  int rows, columns;

  CHORD_INLINE bool in_vectors() const { return is_aligned<4>(data) && stride % 4 == 0 && columns % 4 == 0; }
  CHORD_INLINE bool has(int row, int column) const { return row < rows && column < columns; }
};

/// tile[column, row] = part[row, column], by the lanes of a team.
template <int Columns, class T>
CHORD_INLINE void stage_turned(int lane, const Part<T>& part, T* tile) {
  using Tile = NetworkTile<T>;
  constexpr int across = Columns / 4;
  if (part.in_vectors()) {
#pragma GCC unroll 8
    for (int i = lane; i < Tile::rows * across; i += team) {
      const int row = i / across, column = i % across * 4;
      vector<T, 4> values = {};
      if (part.has(row, column)) values = load_aligned<4>(part.data + row * part.stride + column);
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j) tile[Tile::turned(column + j, row)] = values[j];
    }
  } else {
#pragma GCC unroll 4
    for (int i = lane; i < Tile::rows * Columns; i += team) {
      const int row = i / Columns, column = i % Columns;
      tile[Tile::turned(column, row)] = part.has(row, column) ? part.data[row * part.stride + column] : T(0);
    }
  }
}

/// tile[place(row, column)] = part[row, column], by all lanes of a group.
template <int Rows, class T, class Place>
CHORD_INLINE void stage_weights(int lane, int lanes, const Part<T>& part, T* tile, Place place) {
  constexpr int Columns = NetworkTile<T>::units, across = Columns / 4;
  if (part.in_vectors()) {
    for (int i = lane; i < Rows * across; i += lanes) {
      const int row = i / across, column = i % across * 4;
      vector<T, 4> values = {};
      if (part.has(row, column)) values = load_aligned<4>(part.data + row * part.stride + column);
      store_four(tile, place(row, column), values);
    }
  } else {
    for (int i = lane; i < Rows * Columns; i += lanes) {
      const int row = i / Columns, column = i % Columns;
      tile[place(row, column)] = part.has(row, column) ? part.data[row * part.stride + column] : T(0);
    }
  }
}

/// Blocks of the parameters of either layer.
template <class T>
CHORD_INLINE void stage_first(int lane, int lanes, const Part<T>& part, T* tile) {
  stage_weights<NetworkTile<T>::units>(lane, lanes, part, tile,
                                       [](int out, int in) CHORD_INLINED { return NetworkTile<T>::first(out, in); });
}
template <class T>
CHORD_INLINE void stage_second(int lane, int lanes, const Part<T>& part, T* tile) {
  stage_weights<NetworkTile<T>::outs>(lane, lanes, part, tile,
                                      [](int out, int in) CHORD_INLINED { return NetworkTile<T>::second(out, in); });
}

/// values[i] for 0 ≤ i < count, and zero behind them.
template <class T>
CHORD_INLINE void stage_values(int lane, const T* values, int count, int size, T* to) {
  if (lane < size) to[lane] = lane < count ? values[lane] : T(0);
}

/// Value k of some rows of a tile that is turned over.
template <int Rows, class T>
CHORD_INLINE void load_rows(const T* tile, int k, int row, T (&values)[Rows]) {
  constexpr int Width = Rows < Lane<T>::width ? Rows : Lane<T>::width;
#pragma GCC unroll 2
  for (int first = 0; first < Rows; first += Width) {
    const vector<T, Width> some = load_aligned<Width>(tile + NetworkTile<T>::turned(k, row + first));
#pragma GCC unroll 4
    for (int i = 0; i < Width; ++i) values[first + i] = some[i];
  }
}

/// sum[r][j] += Σ_k x[k, row + r] · w[line(j, k)…], k counting to a multiple of four.
template <int Rows, int Outs, class T, class Line>
CHORD_INLINE void add_products_along(const T* x, int row, const T* w, Line line, int count, T (&sum)[Rows][Outs]) {
  CHORD_ROLLED
  for (int k = 0; k < count; k += 4) {
    vector<T, 4> weights[Outs];
#pragma GCC unroll 4
    for (int j = 0; j < Outs; ++j) weights[j] = load_four(w, line(j, k));
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      T values[Rows];
      load_rows<Rows>(x, k + i, row, values);
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
        for (int j = 0; j < Outs; ++j) sum[r][j] += values[r] * weights[j][i];
    }
  }
}

/// sum[r][j] += Σ_k x[k, row + r] · w[line(k)…][j], k counting to a multiple of four.
template <int Rows, class T, class Line>
CHORD_INLINE void add_products_across(const T* x, int row, const T* w, Line line, int count, T (&sum)[Rows][4]) {
  CHORD_ROLLED
  for (int k = 0; k < count; k += 4) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const vector<T, 4> weights = load_four(w, line(k + i));
      T values[Rows];
      load_rows<Rows>(x, k + i, row, values);
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) sum[r][j] += values[r] * weights[j];
    }
  }
}

/// sum[i][j] += Σ_row x[first + Step · i, row] · y[second + j, row] over Rows rows, from `row` on, of two tiles that
/// are turned over; `second` is a multiple of four, and `row` one of Rows.
template <int Step, int Rows, int Firsts, class T>
CHORD_INLINE void add_products_over_rows(int row, const T* x, int first, const T* y, int second, T (&sum)[Firsts][4]) {
  using Tile = NetworkTile<T>;
  // Rows at a time: what is swapped repeats itself after 32 of them, and is then known to the compiler; but large
  // blocks would take all registers.
  constexpr int together = sizeof(T) > sizeof(float) ? 4 : Rows == 32 ? 32 : 8;
  CHORD_ROLLED
  for (int begin = row; begin < row + Rows; begin += together)
#pragma GCC unroll 8
    for (int some = 0; some < together; some += 4) {
      const int at = together == 32 ? some : begin + some, rest = together == 32 ? begin : 0;
      vector<T, 4> a[Firsts], b[4];
#pragma GCC unroll 4
      for (int i = 0; i < Firsts; ++i) a[i] = load_four(x + rest, Tile::turned(first + Step * i, at));
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j) b[j] = load_four(y + rest, Tile::turned(second, at) + j * Tile::rows);
#pragma GCC unroll 4
      for (int i = 0; i < Firsts; ++i)
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j)
#pragma GCC unroll 4
          for (int r = 0; r < 4; ++r) sum[i][j] += a[i][r] * b[j][r];
    }
}

/// Σ_row tile[unit, row], begun at another row by every lane.
template <class T>
CHORD_INLINE T sum_over_rows(const T* tile, int unit) {
  using Tile = NetworkTile<T>;
  vector<T, 4> sum = {};
#pragma GCC unroll 4
  for (int row = 0; row < Tile::rows; row += 4)
    sum += load_four(tile, Tile::turned(unit, (row + unit * 4) % Tile::rows));
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// to[0 … Count) (+)= values, those below `count`.
template <int Count, class T>
CHORD_INLINE void add_values(T* to, const T (&values)[Count], int count, bool accumulate) {
  if (count >= Count && is_aligned<Count>(to)) {
    vector<T, Count> all = {};
#pragma GCC unroll 4
    for (int i = 0; i < Count; ++i) all[i] = values[i];
    store_aligned<Count>(to, accumulate ? load_aligned<Count>(to) + all : all);
  } else {
#pragma GCC unroll 4
    for (int i = 0; i < Count; ++i)
      if (i < count) to[i] = accumulate ? to[i] + values[i] : values[i];
  }
}

/// to (+)= value
template <class T>
CHORD_INLINE void add_value(T* to, T value, bool accumulate) {
  *to = accumulate ? *to + value : value;
}

}  // namespace chord::CHORD_KERNELS
