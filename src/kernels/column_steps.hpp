// Steps of a walk on columns of X̂ inside one kernel, for CPUs. Each column lies by itself, and so do the weights of
// each link: a vector holds neighbouring rows, so a product needs no weight repeated, a weight's gradient no sum inside
// a vector, and the way back takes both from the same loads.
#pragma once

#include "links.hpp"
#include "turn.hpp"
#include "walk.hpp"

namespace chord::CHORD_KERNELS {

/// Values from one column, or one link's weights, to the next: n, the first ones again for vectors that begin before
/// the end, and on to an odd number of lines, so that neighbouring columns do not share the few places that a cache has
/// for a line.
template <class T>
CHORD_INLINE constexpr std::int64_t column_stride(std::int64_t n) {
  constexpr std::int64_t line = 64 / sizeof(T);
  return ((std::int64_t(divide_up(std::size_t(n), line)) + 1) | 1) * line;
}

/// For each of `columns` columns, out[i] (+)= Σ_k weights_k[i]·in[i + o_k], and where there is an input beside, the
/// gradients of the same links, dots_k[i] += Σ in[i + o_k]·beside[i] over the columns.
template <class T>
struct LinkSum {
  const std::int32_t* offsets;
  bool transposed;  ///< the other way: i − o_k, and the weights are those of that row
  std::size_t n, columns;
  std::int64_t stride;  ///< of columns and of links
  const T *weights, *in;
  T* out;
  const T* beside;
  T* dots;
  bool more;  ///< there is a sum already

  /// The same from a link on.
  CHORD_INLINE LinkSum from(std::int64_t link) const {
    LinkSum rest = *this;
    rest.offsets += link;
    rest.weights += link * stride;
    if (dots) rest.dots += link * stride;
    rest.more = more || link > 0;
    return rest;
  }
};

/// Rows and columns that are turned over at a time.
template <class T>
#ifdef __AVX512F__
inline constexpr int turned_at_once = 8;
#else
inline constexpr int turned_at_once = cpu_lanes<T>;
#endif

/// What registers have room for: so many links' weights and gradients, and so many columns at a time.
#ifdef __AVX512F__
inline constexpr int links_held = 11, columns_held = 4;
#else
inline constexpr int links_held = 5, columns_held = 2;
#endif

/// Where the next column of a block of rows is.
template <class T, int Count, bool Both>
struct LinkPlaces {
  const T *from[Count], *beside;
  T* out;

  CHORD_INLINE void move(std::int64_t values) {
#pragma GCC unroll 12
    for (int k = 0; k < Count; ++k) from[k] += values;
    if constexpr (Both) beside += values;
    out += values;
  }
};

/// So many columns together of a block of rows.
template <class T, int Count, bool Both, int Together>
CHORD_INLINE void sum_columns(LinkPlaces<T, Count, Both>& at, std::int64_t stride, bool more,
                              const vector<T, native_lanes<T>>* weights, vector<T, native_lanes<T>>* dots) {
  constexpr int Width = native_lanes<T>;
  vector<T, Width> sum[Together] = {}, beside[Together];
#pragma GCC unroll 4
  for (int c = 0; c < Together; ++c) {
    if (more) sum[c] = load<Width>(at.out + c * stride);
    if constexpr (Both) beside[c] = load<Width>(at.beside + c * stride);
  }
#pragma GCC unroll 12
  for (int k = 0; k < Count; ++k)
#pragma GCC unroll 4
    for (int c = 0; c < Together; ++c) {
      vector<T, Width> value = load<Width>(at.from[k] + c * stride);
      if constexpr (Both) hold(value);
      sum[c] += weights[k] * value;
      if constexpr (Both) dots[k] += beside[c] * value;
    }
#pragma GCC unroll 4
  for (int c = 0; c < Together; ++c) store<Width>(at.out + c * stride, sum[c]);
  at.move(Together * stride);
}

template <class T, int Count, bool Both>
CHORD_OUTLINE void sum_links(LinkSum<T> s) {
  constexpr int Width = native_lanes<T>;
  for (std::size_t row = 0; row < s.n; row += Width) {
    vector<T, Width> weights[Count], dots[Count];
    LinkPlaces<T, Count, Both> at{{}, Both ? s.beside + row : nullptr, s.out + row};
#pragma GCC unroll 12
    for (int k = 0; k < Count; ++k) {
      const std::size_t start =
          s.transposed ? neighbour<true>(row, s.offsets[k], s.n) : neighbour<false>(row, s.offsets[k], s.n);
      at.from[k] = s.in + start;
      weights[k] = load<Width>(s.weights + k * s.stride + (s.transposed ? start : row));
      if constexpr (Both) dots[k] = load<Width>(s.dots + k * s.stride + row);
    }
    std::size_t column = 0;
    for (; column + columns_held <= s.columns; column += columns_held)
      sum_columns<T, Count, Both, columns_held>(at, s.stride, s.more, weights, dots);
    for (; column < s.columns; ++column) sum_columns<T, Count, Both, 1>(at, s.stride, s.more, weights, dots);
    if constexpr (Both)
#pragma GCC unroll 12
      for (int k = 0; k < Count; ++k) store<Width>(s.dots + k * s.stride + row, dots[k]);
  }
}

template <bool Both, int Count, class T>
CHORD_INLINE void sum_some_links(int count, const LinkSum<T>& s) {
  if (count == Count) return sum_links<T, Count, Both>(s);
  if constexpr (Count > 1) sum_some_links<Both, Count - 1>(count, s);
}

/// All links, about as many at a time.
template <bool Both, class T>
CHORD_INLINE void sum_all_links(std::int64_t links, const LinkSum<T>& s) {
  const auto turns = std::int64_t(divide_up(std::size_t(links), links_held));
  for (std::int64_t turn = 0, done = 0; turn < turns; ++turn) {
    const std::int64_t next = links * (turn + 1) / turns;
    sum_some_links<Both, links_held>(int(next - done), s.from(done));
    done = next;
  }
}

/// The first values of columns again behind their last, where vectors that begin before the end go on.
template <class T>
CHORD_INLINE void close_columns(std::size_t n, std::size_t columns, std::int64_t stride, T* values) {
  constexpr int Width = native_lanes<T>;
  for (std::size_t c = 0; c < columns; ++c, values += stride) store<Width>(values + n, load<Width>(values));
}

/// Steps on columns that begin with unit vectors; values are views by columns. What a step adds to the gradient of its
/// factor is known when the way back takes the step's product, and both are found together.
template <class T>
struct ColumnSteps {
  Links links;
  Range columns;  ///< those of X̂ that are under way
  View<T> weights, sums, other_sums;
  View<const T> beside;  ///< the input of the step whose product comes next on the way back

  /// Memory for weights and gradients, in values. Steps of W and of Wᵀ have sums of their own.
  CHORD_INLINE static std::int64_t memory(const Walk& walk, const Links& links) {
    return (walk.form == form_product ? 2 : 3) * walk.factors * links.count * column_stride<T>(links.n);
  }
  CHORD_INLINE void use_memory(const Walk& walk, T* memory) {
    const std::int64_t stride = column_stride<T>(links.n), factor = links.count * stride, all = walk.factors * factor;
    weights = {memory, factor, 0, stride};
    sums = {memory + all, factor, 0, stride};
    other_sums = {walk.form == form_product ? nullptr : memory + 2 * all, factor, 0, stride};
  }

  /// Takes the weights of all factors, and begins their gradients.
  CHORD_INLINE void begin(const Walk& walk, const T* w) const {
    const auto n = std::size_t(links.n), count = std::size_t(links.count);
    for (int f = 0; f < walk.factors; ++f) {
      const View<T> factor = weights.factor(f);
      turn<T, turned_at_once<T>>(w + f * n * count, links.count, int(n), int(count), factor.data, factor.row_stride,
                                 false);
      close_columns(n, count, factor.row_stride, factor.data);
    }
    const std::size_t all = walk.factors * std::size_t(sums.factor_stride) * (other_sums ? 2 : 1);
    for (std::size_t i = 0; i < all; ++i) sums.data[i] = 0;
  }

  /// Puts the gradients where the weights were, and hands them out as those lie outside.
  CHORD_INLINE void end(const Walk& walk, T* dw) const {
    const auto n = std::size_t(links.n);
    for (int f = 0; f < walk.factors; ++f) {
      const View<T> to = weights.factor(f);
      for (std::int64_t k = 0; k < links.count; ++k) {
        const auto offset = std::size_t(links.offsets[k]);
        T* gradient = to.row(k);
        const T* from = sums.factor(f).row(k);
        for (std::size_t i = 0; i < n - offset; ++i) gradient[i] = from[i + offset];
        for (std::size_t i = n - offset; i < n; ++i) gradient[i] = from[i + offset - n];
        if (!other_sums) continue;
        const T* more = other_sums.factor(f).row(k);
        for (std::size_t i = 0; i < n; ++i) gradient[i] += more[i];
      }
      turn<T, turned_at_once<T>>(to.data, to.row_stride, int(links.count), int(n),
                                 dw + f * n * std::size_t(links.count), links.count, false);
    }
  }

  CHORD_INLINE void product(int, int, Step step, View<const T> in, View<T> out, View<const T>) {
    const std::size_t count = columns.last - columns.first;
    const View<T> factor = weights.factor(step.factor);
    if (!in) {
      unit_columns(step.transposed, factor, out);
    } else {
      LinkSum<T> sum{links.offsets, step.transposed, std::size_t(links.n), count,   out.row_stride, factor.data,
                     in.data,       out.data,        beside.data,          nullptr, false};
      if (beside) {
        sum.dots = sums_of(step.transposed).factor(step.factor).data;
        sum_all_links<true>(links.count, sum);
        beside = {};
      } else {
        sum_all_links<false>(links.count, sum);
      }
    }
    close_columns(std::size_t(links.n), count, out.row_stride, out.data);
  }

  // The weight w[i,k] takes a value from place i + o_k to i: on the way back, Wᵀ takes the adjoint from i to i + o_k,
  // and beside the input there is its gradient. Of Wᵀ it is the other way round.
  CHORD_INLINE void gradient_weights(int, int, Step step, View<const T> adjoint, View<const T> input) {
    beside = input;
    if (!input) unit_gradient(!step.transposed, adjoint, sums_of(!step.transposed).factor(step.factor));
  }

  /// Residuals are of chains alone.
  CHORD_INLINE void add(View<const T>, View<T>, bool) const {}

 private:
  /// Of steps back through W, by Wᵀ, or of the others.
  CHORD_INLINE View<T> sums_of(bool transposed) const { return transposed ? sums : other_sums; }

  /// out = the columns of W, or of Wᵀ.
  CHORD_INLINE void unit_columns(bool transposed, View<const T> factor, View<T> out) const {
    const auto n = std::size_t(links.n);
    for (std::size_t at = columns.first; at < columns.last; ++at) {
      T* column = out.row(at - columns.first);
      for (std::size_t i = 0; i < n; ++i) column[i] = 0;
      for (std::int64_t k = 0; k < links.count; ++k) {
        const std::size_t row =
            transposed ? neighbour<false>(at, links.offsets[k], n) : neighbour<true>(at, links.offsets[k], n);
        column[row] += factor.row(k)[transposed ? at : row];
      }
    }
  }
  /// Adds the gradient of that; `back`: of W, whose sums lie by the rows that Wᵀ takes them to.
  CHORD_INLINE void unit_gradient(bool back, View<const T> adjoint, View<T> gradient) const {
    const auto n = std::size_t(links.n);
    for (std::size_t at = columns.first; at < columns.last; ++at)
      for (std::int64_t k = 0; k < links.count; ++k) {
        const std::size_t row =
            back ? neighbour<true>(at, links.offsets[k], n) : neighbour<false>(at, links.offsets[k], n);
        gradient.row(k)[at] += adjoint.row(at - columns.first)[row];
      }
  }
};

}  // namespace chord::CHORD_KERNELS
