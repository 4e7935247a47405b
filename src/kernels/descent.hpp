// Vector work of a quasi-Newton descent (L-BFGS) in two passes over its history, however long that is.
//
// The history holds m pairs: steps s in its rows 0 … m − 1, differences of gradients y in rows m … 2m − 1. A direction
// is a sum of these rows and of the gradient, with coefficients that follow from dot products alone; so a pass for the
// sum and, after the step, one for the new dot products are all that touches the vectors.
#pragma once

#include "operation.hpp"

namespace chord::CHORD_KERNELS {

/// Four values as doubles, whatever they are stored as: sums over a million parameters want the precision.
template <class T>
CHORD_INLINE vector<double, 4> load_double(const T* from) {
  return __builtin_convertvector(load<4>(from), vector<double, 4>);
}

/// direction = Σ_j coefficients[j]·history[j] + coefficients[2m]·gradient over a chunk, rows whose coefficient is zero
/// left out; trial = x + length·direction. Where `history` is null the direction is there already.
struct descent_step : Everywhere {
  template <class T>
  struct Arguments {
    const T *history, *gradient;
    const double* coefficients;
    const T* x;
    T *direction, *trial;
    std::int64_t rows, size, chunk_size;  ///< rows: 2m
    double length;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {divide_up(a.size, a.chunk_size)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double rows = a.history ? double(a.rows + 1) : 0;
    return {2 * (rows + 1) * double(a.size), (rows + 3) * double(a.size) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t chunk, std::size_t, std::size_t, const Arguments<T>& a) {
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
struct descent_dots : Everywhere {
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
};

}  // namespace chord::CHORD_KERNELS
