// Vector work of a quasi-Newton descent (L-BFGS) in two passes over its history, however long that is.
//
// The history holds m pairs: steps s in its rows 0 … m − 1, differences of gradients y in rows m … 2m − 1. A direction
// is a sum of these rows and of the gradient, with coefficients that follow from dot products alone; so a pass for the
// sum and, after the step, one for the new dot products are all that touches the vectors.
#pragma once

#include "group.hpp"

namespace chord::CHORD_KERNELS {

/// Four values as doubles, whatever they are stored as: sums over a million parameters want the precision.
template <class T>
CHORD_INLINE vector<double, 4> load_double(const T* from) {
  return __builtin_convertvector(load<4>(from), vector<double, 4>);
}

/// direction = Σ_j coefficients[j]·history[j] + coefficients[2m]·gradient over a chunk, rows whose coefficient is zero
/// left out; trial = x + length·direction. Where `history` is null the direction is there already.
struct descent_step {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = Lane<T>;

  template <class T>
  struct Arguments {
    const T *history, *gradient;
    const double* coefficients;
    const T* x;
    T *direction, *trial;
    std::int64_t rows, size, chunk_size;  ///< rows: 2m
    double length;
    std::int32_t lanes = 0;  ///< for GPUs, by prepare()
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if constexpr (is_lane<Shape>)
      a.lanes = a.size % Shape::width == 0 && has_lanes(a.history) && has_lanes(a.gradient) && has_lanes(a.x) &&
                has_lanes(a.direction) && has_lanes(a.trial);
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    if constexpr (is_lane<Shape>) return {1, std::size_t(a.lanes ? a.size / Shape::width : a.size)};
    return {divide_up(a.size, a.chunk_size)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = a.history ? double(a.rows + 1) : 0;
    return {2 * (rows + 1) * double(a.size), (rows + 3) * double(a.size) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t chunk, std::size_t place, std::size_t, const Arguments<T>& a) {
    if constexpr (is_lane<Shape>) {
      if (a.lanes)
        take_lane<Shape::width>(place * Shape::width, a);
      else
        take_lane<1>(place, a);
    } else {
      take_chunk(chunk, a);
    }
  }

 private:
  template <int Width, class T>
  CHORD_INLINE static void take_lane(std::size_t i, const Arguments<T>& a) {
    vector<T, Width> direction;
    if (a.history) {
      direction = T(a.coefficients[a.rows]) * load_aligned<Width>(a.gradient + i);
#pragma GCC unroll 4
      for (std::int64_t j = 0; j < a.rows; ++j) {
        const T coefficient = T(a.coefficients[j]);
        // What was never written may be anything.
        if (coefficient != 0) direction += coefficient * load_aligned<Width>(a.history + j * a.size + i);
      }
      store_aligned<Width>(a.direction + i, direction);
    } else {
      direction = load_aligned<Width>(a.direction + i);
    }
    store_aligned<Width>(a.trial + i, load_aligned<Width>(a.x + i) + T(a.length) * direction);
  }

  template <class T>
  CHORD_INLINE static void take_chunk(std::size_t chunk, const Arguments<T>& a) {
    constexpr int Width = cpu_lanes<T>, Together = 8 * Width;
    const Range range = piece_of(chunk, a.chunk_size, a.size);
    const std::size_t last = range.last, size = a.size;
    const T *history = a.history, *gradient = a.gradient, *x = a.x;
    const double* coefficients = a.coefficients;
    const std::int64_t rows = a.rows;
    T *direction = a.direction, *trial = a.trial;
    std::size_t i = range.first;
    if (history) {
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
    const T by = T(a.length);
    for (i = range.first; i < last; ++i) trial[i] = x[i] + by * direction[i];
  }
};

/// dots[0…2] = ⟨row, s⟩, ⟨row, y⟩, ⟨row, g⟩ over `count` values
template <class T>
CHORD_OUTLINE void three_dots(const T* row, const T* s, const T* y, const T* g, std::size_t count, double* dots) {
  vector<double, 4> sum[3] = {}, more[3] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const vector<double, 4> a = load_double(row + i), b = load_double(row + i + 4);
    sum[0] += a * load_double(s + i);
    more[0] += b * load_double(s + i + 4);
    sum[1] += a * load_double(y + i);
    more[1] += b * load_double(y + i + 4);
    sum[2] += a * load_double(g + i);
    more[2] += b * load_double(g + i + 4);
  }
  for (int d = 0; d < 3; ++d) {
    const vector<double, 4> both = sum[d] + more[d];
    dots[d] = (both[0] + both[1]) + (both[2] + both[3]);
  }
  for (; i < count; ++i) {
    dots[0] += double(row[i]) * double(s[i]);
    dots[1] += double(row[i]) * double(y[i]);
    dots[2] += double(row[i]) * double(g[i]);
  }
}

/// The pair of a step, s = trial − x and y = new_gradient − gradient, goes into place `slot` of the history; the
/// products of s, y and the new gradient with every row in use (`used` pairs, this one among them), and with the new
/// gradient itself, over a chunk, go into dots[chunk, 2m + 1, 3].
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
    double* dots;
    std::int64_t pairs, slot, used, size, chunk_size;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {divide_up(a.size, a.chunk_size)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = double(2 * a.used + 1);
    return {(6 * rows + 2) * double(a.size), (rows + 5) * double(a.size) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t chunk, std::size_t, std::size_t, const Arguments<T>& a) {
    const Range range = piece_of(chunk, a.chunk_size, a.size);
    const std::size_t all = a.size, first = range.first, count = range.last - range.first;
    const std::int64_t pairs = a.pairs;
    T* s = a.history + a.slot * all + first;
    T* y = a.history + (pairs + a.slot) * all + first;
    const T* g = a.new_gradient + first;
    for (std::size_t i = 0; i < count; ++i) {
      s[i] = a.trial[first + i] - a.x[first + i];
      y[i] = g[i] - a.gradient[first + i];
    }
    double* mine = a.dots + chunk * (2 * pairs + 1) * 3;
    for (std::int64_t j = 0; j < a.used; ++j) {
      three_dots(a.history + j * all + first, s, y, g, count, mine + j * 3);
      three_dots(a.history + (pairs + j) * all + first, s, y, g, count, mine + (pairs + j) * 3);
    }
    three_dots(g, s, y, g, count, mine + 2 * pairs * 3);
  }

  /// A group has a chunk. A team of it has a row of the history at a time, whose sums go through local memory, where
  /// each is completed by one lane: the order does not depend on how many teams there are.
  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int) {
    return divide_up(a.size, a.chunk_size);
  }
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>& a, int) {
    return local_size<double>(std::size_t(team * parts_of(a)));
  }

  template <class T, class Shape, class Group>
  CHORD_INLINE static void run_group(Group& group, const Arguments<T>& a) {
    const Range range = piece_of(group.index(), a.chunk_size, a.size);
    const int count = int(range.last - range.first), parts = parts_of(a), rows = int(2 * a.used + 1);
    double* sums = group.template local<double>(std::size_t(team * parts));
    T* s = a.history + a.slot * a.size + range.first;
    T* y = a.history + (a.pairs + a.slot) * a.size + range.first;
    const T* g = a.new_gradient + range.first;
    group.each([&](int lane) {
      for (int i = lane; i < count; i += group.lanes()) {
        s[i] = a.trial[range.first + i] - a.x[range.first + i];
        y[i] = g[i] - a.gradient[range.first + i];
      }
    });
    group.each([&](int lane) {
      const int member = lane % team;
      for (int row = lane / team; row < rows; row += group.lanes() / team) {
        const T* values = row == rows - 1 ? g : a.history + row_of(row, a) * a.size + range.first;
        double with_s = 0, with_y = 0, with_g = 0;
        for (int i = member; i < count; i += team) {
          const double value = double(values[i]);
          with_s += value * double(s[i]);
          with_y += value * double(y[i]);
          with_g += value * double(g[i]);
        }
        double* mine = sums + member * parts + row * 3;
        mine[0] = with_s;
        mine[1] = with_y;
        mine[2] = with_g;
      }
    });
    double* dots = a.dots + group.index() * std::size_t(2 * a.pairs + 1) * 3;
    group.each([&](int lane) {
      for (int part = lane; part < 3 * rows; part += group.lanes()) {
        double sum = 0;
        for (int member = 0; member < team; ++member) sum += sums[member * parts + part];
        const int row = part / 3;
        dots[(row == rows - 1 ? 2 * a.pairs : row_of(row, a)) * 3 + part - row * 3] = sum;
      }
    });
  }

 private:
  /// Of a lane: an odd number, so that neighbours begin in different banks.
  template <class T>
  CHORD_INLINE static int parts_of(const Arguments<T>& a) {
    return int(3 * (2 * a.used + 1)) | 1;
  }
  /// The used rows of the history, one after the other: steps, then changes of the gradient.
  template <class T>
  CHORD_INLINE static std::int64_t row_of(int row, const Arguments<T>& a) {
    return row < a.used ? row : a.pairs + row - a.used;
  }
};

}  // namespace chord::CHORD_KERNELS
