// Vector work of a quasi-Newton descent (L-BFGS) in two passes over its history, however long that is.
//
// The history holds m pairs: steps s in its rows 0 … m − 1, differences of gradients y in rows m … 2m − 1. A direction
// is a sum of these rows and of the gradient, with coefficients that follow from dot products alone; so a pass for the
// sum and, after the step, one for the new dot products are all that touches the vectors.
//
// Several descents can be side by side, all of whose vectors then lie one descent's behind the other's. What each is to
// do next is in device memory.
#pragma once

#include "group.hpp"

namespace chord::CHORD_KERNELS {

/// What a descent does next.
enum class DescentTurn {
  none,   ///< it has a rest
  begin,  ///< at the trial
  again,  ///< tries another length along the direction
  turn,   ///< in a new direction
  move    ///< the same from the trial, which becomes x, as its gradient becomes x's
};

/// Its turn, as the host has written it into orders[descent, 2m + 1 + numbers]: the direction's coefficients, then
/// the rest, all as doubles, so that they come together. One is unused: each descent's begin at 16 bytes.
struct DescentOrder {
  static constexpr std::int64_t numbers = 5;
  const double* coefficients;
  double length;
  DescentTurn turn;
  std::int64_t slot, used;  ///< the place of the step's pair, and pairs in use with it

  CHORD_INLINE DescentOrder(const double* orders, std::size_t descent, std::int64_t rows)
      : coefficients(orders + std::int64_t(descent) * (rows + 1 + numbers)),
        length(coefficients[rows + 1]),
        turn(DescentTurn(int(coefficients[rows + 2]))),
        slot(std::int64_t(coefficients[rows + 3])),
        used(std::int64_t(coefficients[rows + 4])) {}
  CHORD_INLINE bool moves() const { return turn == DescentTurn::move; }
};

/// By the turn of each descent: x = trial and gradient = new_gradient;
/// direction = Σ_j coefficients[j]·history[j] + coefficients[2m]·gradient over a chunk, rows whose coefficient is zero
/// left out; trial = x + length·direction.
struct descent_step {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Lane<T>;

  template <class T>
  struct Arguments {
    const T *history, *new_gradient;
    const double* orders;
    T *x, *gradient, *direction, *trial;
    std::int64_t descents, rows, size, chunk_size;  ///< rows: 2m
    std::int32_t lanes = 0;                         ///< for GPUs, by prepare()
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_lane<Shape>)
      a.lanes = a.size % Shape::width == 0 && has_lanes(a.orders) && has_lanes(a.history) && has_lanes(a.gradient) &&
                has_lanes(a.new_gradient) && has_lanes(a.x) && has_lanes(a.direction) && has_lanes(a.trial);
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    const auto descents = std::size_t(a.descents);
    if constexpr (is_lane<Shape>) return {descents, std::size_t(a.lanes ? a.size / Shape::width : a.size)};
    return {descents, divide_up(a.size, a.chunk_size)};
  }

  /// Of turns in a new direction.
  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(a.rows + 1), size = double(a.descents * a.size);
    return {2 * (rows + 1) * size, (rows + 3) * size * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t descent, std::size_t place, std::size_t, const Arguments<T>& a) {
    const DescentOrder order(a.orders, descent, a.rows);
    if (order.turn == DescentTurn::none) return;
    if constexpr (is_lane<Shape>) {
      if (a.lanes)
        take_lane<Shape::width>(order, descent * a.size, place * Shape::width, a);
      else
        take_lane<1>(order, descent * a.size, place, a);
    } else {
      take_chunk(order, descent * a.size, piece_of(place, a.chunk_size, a.size), a);
    }
  }

 private:
  /// `first`: of the descent's vectors.
  template <int Width, class T>
  CHORD_INLINE static void take_lane(const DescentOrder& order, std::size_t first, std::size_t i,
                                     const Arguments<T>& a) {
    const std::size_t at = first + i;
    const bool from_trial = order.moves() || order.turn == DescentTurn::begin;
    const vector<T, Width> x = load_aligned<Width>((from_trial ? a.trial : a.x) + at);
    if (from_trial) store_aligned<Width>(a.x + at, x);
    if (order.turn == DescentTurn::begin) return;
    vector<T, Width> direction;
    if (order.turn != DescentTurn::again) {
      const vector<T, Width> gradient = load_aligned<Width>((order.moves() ? a.new_gradient : a.gradient) + at);
      if (order.moves()) store_aligned<Width>(a.gradient + at, gradient);
      direction = T(order.coefficients[a.rows]) * gradient;
      const T* history = a.history + first * a.rows + i;
#pragma GCC unroll 2
      for (std::int64_t j = 0; j < a.rows; j += 2) {
        constexpr int together = Width > 1 ? 2 : 1;
        double coefficients[2];
#pragma GCC unroll 2
        for (int b = 0; b < 2; b += together) {
          const auto some = load_aligned<together>(order.coefficients + j + b);
#pragma GCC unroll 2
          for (int c = 0; c < together; ++c) coefficients[b + c] = some[c];
        }
        // What was never written may be anything.
#pragma GCC unroll 2
        for (int b = 0; b < 2; ++b)
          if (const T coefficient = T(coefficients[b]); coefficient != 0)
            direction += coefficient * load_aligned<Width>(history + (j + b) * a.size);
      }
      store_aligned<Width>(a.direction + at, direction);
    } else {
      direction = load_aligned<Width>(a.direction + at);
    }
    store_aligned<Width>(a.trial + at, x + T(order.length) * direction);
  }

  template <class T>
  CHORD_INLINE static void take_chunk(const DescentOrder& order, std::size_t vectors, Range range,
                                      const Arguments<T>& a) {
    constexpr int Width = native_lanes<T>, Together = 8 * Width;
    const std::size_t last = range.last, size = a.size;
    const T* history = a.history + vectors * a.rows;
    const double* coefficients = order.coefficients;
    const std::int64_t rows = a.rows;
    T *gradient = a.gradient + vectors, *x = a.x + vectors, *direction = a.direction + vectors,
      *trial = a.trial + vectors;
    if (order.moves() || order.turn == DescentTurn::begin)
      for (std::size_t i = range.first; i < last; ++i) x[i] = trial[i];
    if (order.turn == DescentTurn::begin) return;
    if (order.moves())
      for (std::size_t i = range.first; i < last; ++i) gradient[i] = a.new_gradient[vectors + i];
    std::size_t i = range.first;
    if (order.turn != DescentTurn::again) {
      const T own = T(coefficients[rows]);
      for (; i + Together <= last; i += Together) {
        vector<T, Width> sum[8];
#pragma GCC unroll 8
        for (int r = 0; r < 8; ++r) sum[r] = own * load<Width>(gradient + i + r * Width);
        for (std::int64_t j = 0; j < rows; ++j) {
          if (coefficients[j] == 0) continue;
          const T coefficient = T(coefficients[j]);
          const T* row = history + j * size + i;
#pragma GCC unroll 8
          for (int r = 0; r < 8; ++r) sum[r] += coefficient * load<Width>(row + r * Width);
        }
#pragma GCC unroll 8
        for (int r = 0; r < 8; ++r) store<Width>(direction + i + r * Width, sum[r]);
      }
      for (; i < last; ++i) {
        T sum = own * gradient[i];
        for (std::int64_t j = 0; j < rows; ++j)
          if (coefficients[j] != 0) sum += T(coefficients[j]) * history[j * size + i];
        direction[i] = sum;
      }
    }
    const T by = T(order.length);
    for (i = range.first; i < last; ++i) trial[i] = x[i] + by * direction[i];
  }
};

/// dots[0…2] = ⟨row, s⟩, ⟨row, y⟩, ⟨row, g⟩ over `count` values; the same for Rows rows that lie `apart`, at once: s, y
/// and g are read for all of them. Their dots lie `dots_apart`.
template <int Rows, class T>
CHORD_OUTLINE void three_dots(const T* row, std::size_t apart, const T* s, const T* y, const T* g, std::size_t count,
                              double* dots, std::size_t dots_apart) {
  // Doubles, whatever the values are stored as: sums over a million parameters want the precision.
  constexpr int Width = native_lanes<double>;
  const auto load_double = [](const T* from) CHORD_INLINED {
    return __builtin_convertvector(load<Width>(from), vector<double, Width>);
  };
  vector<double, Width> sum[Rows][3] = {};
  std::size_t i = 0;
  for (; i + Width <= count; i += Width) {
    const vector<double, Width> with[3] = {load_double(s + i), load_double(y + i), load_double(g + i)};
#pragma GCC unroll 2
    for (int r = 0; r < Rows; ++r) {
      const vector<double, Width> value = load_double(row + r * apart + i);
#pragma GCC unroll 3
      for (int d = 0; d < 3; ++d) sum[r][d] += value * with[d];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    const T* values = row + r * apart;
    double* mine = dots + r * dots_apart;
    for (int d = 0; d < 3; ++d) {
      mine[d] = 0;
      for (int b = 0; b < Width; ++b) mine[d] += sum[r][d][b];
    }
    for (std::size_t rest = i; rest < count; ++rest) {
      mine[0] += double(values[rest]) * double(s[rest]);
      mine[1] += double(values[rest]) * double(y[rest]);
      mine[2] += double(values[rest]) * double(g[rest]);
    }
  }
}

/// The pair of a step, s = trial − x and y = new_gradient − gradient (at the beginning 0), goes into its place of the
/// history; the products of s, y and the new gradient with every row in use, and with the new gradient itself, over a
/// chunk, go into dots[descent, chunk, 2m + 1, 3].
struct descent_dots {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Group;

  template <class T>
  struct Arguments {
    T* history;
    const T *x, *trial, *gradient, *new_gradient;
    const double* orders;
    double* dots;
    std::int64_t descents, pairs, size, chunk_size;
    std::int64_t chunks = 0;  ///< of a descent, by prepare()
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    a.chunks = std::int64_t(divide_up(a.size, a.chunk_size));
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.descents), std::size_t(a.chunks)};
  }

  /// With all pairs in use.
  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(2 * a.pairs + 1), size = double(a.descents * a.size);
    return {(6 * rows + 2) * size, (rows + 5) * size * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t descent, std::size_t chunk, std::size_t, const Arguments<T>& a) {
    const DescentOrder order(a.orders, descent, 2 * a.pairs);
    if (order.turn == DescentTurn::none) return;
    const Vectors<T> vectors(order, descent, chunk, a);
    const std::size_t count = vectors.count, all = a.size;
    T *s = vectors.s, *y = vectors.y;
    const T* g = vectors.new_gradient;
    for (std::size_t i = 0; i < count; ++i) vectors.make_pair(i);
    double* mine = vectors.dots;
    for (std::int64_t j = 0; j < order.used; ++j)
      three_dots<2>(vectors.history + j * all, a.pairs * all, s, y, g, count, mine + j * 3, a.pairs * 3);
    three_dots<1>(g, 0, s, y, g, count, mine + 2 * a.pairs * 3, 0);
  }

  /// A group has a chunk. A team of it has a row of the history at a time, whose sums go through local memory, where
  /// each is completed by one lane: the order does not depend on how many teams there are.
  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int) {
    return std::size_t(a.descents * a.chunks);
  }
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>& a, int) {
    return local_size<double>(std::size_t(team * parts_of(a.pairs)));
  }

  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    constexpr int Width = Lane<T>::width;
    const std::size_t descent = std::uint32_t(group.index()) / std::uint32_t(a.chunks);
    const DescentOrder order(a.orders, descent, 2 * a.pairs);
    if (order.turn == DescentTurn::none) return;
    const Vectors<T> vectors(order, descent, group.index() - descent * a.chunks, a);
    const int count = int(vectors.count), used = int(order.used), rows = 2 * used + 1, parts = parts_of(used);
    double* sums = group.template local<double>(std::size_t(team * parts_of(a.pairs)));
    group.each([&](int lane) {
      for (int i = lane * Width; i < count; i += group.lanes() * Width)
        vectors.template make_pairs<Width>(std::size_t(i), count - i);
    });
    const T *s = vectors.s, *y = vectors.y, *g = vectors.new_gradient;
    group.each([&](int lane) {
      const int member = lane % team;
      for (int row = lane / team; row < rows; row += group.lanes() / team) {
        const T* values = row == rows - 1 ? g : vectors.history + row_of(row, used, a.pairs) * a.size;
        double with_s = 0, with_y = 0, with_g = 0;
        for (int i = member * Width; i < count; i += team * Width) {
          const int left = count - i;
          const vector<T, Width> value = load_some<Width>(values + i, left), of_s = load_some<Width>(s + i, left),
                                 of_y = load_some<Width>(y + i, left), of_g = load_some<Width>(g + i, left);
#pragma GCC unroll 4
          for (int b = 0; b < Width; ++b) {
            with_s += double(value[b]) * double(of_s[b]);
            with_y += double(value[b]) * double(of_y[b]);
            with_g += double(value[b]) * double(of_g[b]);
          }
        }
        double* mine = sums + member * parts + row * 3;
        mine[0] = with_s;
        mine[1] = with_y;
        mine[2] = with_g;
      }
    });
    group.each([&](int lane) {
      for (int part = lane; part < 3 * rows; part += group.lanes()) {
        double sum = 0;
        for (int member = 0; member < team; ++member) sum += sums[member * parts + part];
        const int row = part / 3;
        vectors.dots[(row == rows - 1 ? 2 * a.pairs : row_of(row, used, a.pairs)) * 3 + part - row * 3] = sum;
      }
    });
  }

 private:
  /// A chunk of a descent's.
  template <class T>
  struct Vectors {
    std::size_t count;
    const T *x, *trial, *gradient, *new_gradient;
    T *history, *s, *y;
    double* dots;
    bool begins;

    CHORD_INLINE Vectors(const DescentOrder& order, std::size_t descent, std::size_t chunk, const Arguments<T>& a) {
      const Range range = piece_of(chunk, a.chunk_size, a.size);
      const std::size_t size = a.size, first = descent * size + range.first;
      count = range.last - range.first;
      x = a.x + first;
      trial = a.trial + first;
      gradient = a.gradient + first;
      new_gradient = a.new_gradient + first;
      history = a.history + descent * 2 * a.pairs * size + range.first;
      s = history + order.slot * size;
      y = history + (a.pairs + order.slot) * size;
      dots = a.dots + (descent * a.chunks + chunk) * (2 * a.pairs + 1) * 3;
      begins = order.turn == DescentTurn::begin;
    }
    CHORD_INLINE void make_pair(std::size_t i) const {
      s[i] = trial[i] - x[i];
      y[i] = begins ? T(0) : new_gradient[i] - gradient[i];
    }
    /// Some of them, `left` or fewer.
    template <int Width>
    CHORD_INLINE void make_pairs(std::size_t i, std::int64_t left) const {
      store_some<Width>(s + i, load_some<Width>(trial + i, left) - load_some<Width>(x + i, left), left);
      vector<T, Width> change = {};
      if (!begins) change = load_some<Width>(new_gradient + i, left) - load_some<Width>(gradient + i, left);
      store_some<Width>(y + i, change, left);
    }
  };

  /// Of a lane: an odd number, so that neighbours begin in different banks.
  CHORD_INLINE static int parts_of(std::int64_t used) { return int(3 * (2 * used + 1)) | 1; }
  /// The used rows of the history, one after the other: steps, then changes of the gradient.
  CHORD_INLINE static std::int64_t row_of(int row, int used, std::int64_t pairs) {
    return row < used ? row : pairs + row - used;
  }
};

}  // namespace chord::CHORD_KERNELS
