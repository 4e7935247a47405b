// The parameters of a factorisation as a whole: their size, noise on them, and the same scale for all factors.
#pragma once

#include "gelu.hpp"
#include "logarithm.hpp"
#include "philox.hpp"
#include "team_sums.hpp"

namespace chord::CHORD_KERNELS {

inline constexpr std::size_t squares_piece = 4096;

/// squares[factor, piece] = Σ x² over a piece of a factor.
struct sum_squares : Everywhere {
  template <class T>
  using gpu = Group;

  template <class T>
  struct Arguments {
    const T* x;
    double* squares;
    std::int64_t factors, factor_size;
  };

  /// Numbers in `squares` for each factor.
  CHORD_INLINE static std::int64_t pieces(std::int64_t factor_size) {
    return std::int64_t(divide_up(factor_size, squares_piece));
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.factors), std::size_t(pieces(a.factor_size))};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.factors) * double(a.factor_size);
    return {2 * values, values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t factor, std::size_t piece, std::size_t, const Arguments<T>& a) {
    const Range range = piece_of(piece, squares_piece, a.factor_size);
    const T* x = a.x + factor * a.factor_size;
    double sum = 0;
    for (std::size_t i = range.first; i < range.last; ++i) sum += double(x[i]) * double(x[i]);
    a.squares[factor * pieces(a.factor_size) + piece] = sum;
  }

  /// A group has a piece.
  template <class T, class Shape>
  static std::size_t groups(const Arguments<T>& a, int) {
    return std::size_t(a.factors * pieces(a.factor_size));
  }
  template <class T, class Shape>
  static std::size_t local_bytes(const Arguments<T>&, int) {
    return GroupSum::local_bytes<double>();
  }

  template <class T, class Shape, class G>
  CHORD_INLINE static void run_group(G& g, const Arguments<T>& a) {
    const auto each = std::uint32_t(pieces(a.factor_size)), index = std::uint32_t(g.index());
    const T* x = a.x + index / each * a.factor_size;
    GroupSum::run(
        g, piece_of(index % each, squares_piece, a.factor_size),
        [&](std::size_t i) CHORD_INLINED { return double(x[i]) * double(x[i]); }, a.squares + index);
  }
};

/// What a worker takes of all values: a piece on CPUs, one on GPUs.
using OneValue = Tile<1, 1>;
template <class Shape>
inline constexpr std::size_t values_each = squares_piece;
template <>
inline constexpr std::size_t values_each<OneValue> = 1;

struct ByValues : Everywhere {
  template <class T>
  using gpu = OneValue;
};

/// to = from + strength · (root mean square of all) · normal noise: number i of a stream of random numbers
/// (common/random.hpp) for value i.
struct add_noise : ByValues {
  template <class T>
  struct Arguments {
    const T* from;
    T* to;
    const double* squares;  ///< of sum_squares
    std::int64_t count, squares_count, seed, stream;
    double strength;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, divide_up(a.count, values_each<Shape>)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {100 * double(a.count), 2 * double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t piece, std::size_t, const Arguments<T>& a) {
    double sum = 0;
    for (std::int64_t i = 0; i < a.squares_count; ++i) sum += a.squares[i];
    const double noise = a.strength * __builtin_sqrt(sum / double(a.count));
    const Range range = piece_of(piece, values_each<Shape>, a.count);
    for (std::size_t i = range.first; i < range.last; ++i) a.to[i] = a.from[i] + T(noise * normal(a, i));
  }

 private:
  /// By Box and Muller.
  template <class T>
  CHORD_INLINE static double normal(const Arguments<T>& a, std::uint64_t index) {
    std::uint32_t x[4] = {std::uint32_t(index), std::uint32_t(index >> 32), std::uint32_t(a.stream),
                          std::uint32_t(a.stream >> 32)};
    philox(x, std::uint32_t(a.seed), std::uint32_t(a.seed >> 32));
    return __builtin_sqrt(-2 * logarithm(uniform_of(x[0], x[1]))) * cosine_of_turns(uniform_of(x[2], x[3]));
  }
};

/// Every factor times `scale`, and so that all have the same norm: the geometric mean of theirs. Where a factor is zero
/// there is nothing to spread.
struct spread_factors : ByValues {
  template <class T>
  struct Arguments {
    T* x;
    const double* squares;  ///< of sum_squares
    std::int64_t factors, factor_size;
    double scale;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.factors), divide_up(a.factor_size, values_each<Shape>)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double values = double(a.factors) * double(a.factor_size);
    return {values, 2 * values * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t factor, std::size_t piece, std::size_t, const Arguments<T>& a) {
    double logarithms = 0, own = 0;
    bool zero = false;
    for (std::int64_t f = 0; f < a.factors; ++f) {
      const double squares = squares_of(a, f);
      zero = zero || !(squares > 0);
      if (zero) break;
      logarithms += logarithm(squares) / 2;
      if (f == std::int64_t(factor)) own = __builtin_sqrt(squares);
    }
    const vector<double, 1> mean = vector<double, 1>{} + logarithms / double(a.factors);
    const double by = a.scale * (zero ? 1 : exponential<double, 1>(mean)[0] / own);
    const Range range = piece_of(piece, values_each<Shape>, a.factor_size);
    T* x = a.x + factor * a.factor_size;
    for (std::size_t i = range.first; i < range.last; ++i) x[i] = T(double(x[i]) * by);
  }

 private:
  template <class T>
  CHORD_INLINE static double squares_of(const Arguments<T>& a, std::int64_t factor) {
    const std::int64_t pieces = sum_squares::pieces(a.factor_size);
    double sum = 0;
    for (std::int64_t p = 0; p < pieces; ++p) sum += a.squares[factor * pieces + p];
    return sum;
  }
};

}  // namespace chord::CHORD_KERNELS
