// The Chord product as a GPU's lane computes it: 16 bytes of a row of z, its neighbours side by side, so that a warp's
// requests are whole sectors. Rows of a sequence are counted with 32 bits, and an address is one instruction.
#pragma once

#include "links.hpp"

namespace chord::CHORD_KERNELS {

/// The rows of a sequence. Near ones lie less than 2 GiB apart.
template <class T, bool Near>
struct RowsOf {
  T* data;
  std::int64_t stride;  ///< in bytes where they are near, else in elements

  CHORD_INLINE explicit RowsOf(const View<T>& view, std::size_t column = 0)
      : data(view.data + column), stride(Near ? view.row_stride * std::int64_t(sizeof(T)) : view.row_stride) {}

  CHORD_INLINE T* operator[](std::uint32_t row) const {
    if constexpr (!Near) return data + std::int64_t(row) * stride;
    const std::int64_t bytes = wide_product(std::int32_t(row), std::int32_t(stride));
    return (T*)((const char*)data + bytes);  // no cast to a number: the compiler would lose sight of what it points to
  }
};

/// Whether whole lanes can take the rows of a view.
template <class T>
bool has_near_lanes(const View<T>& view) {
  const std::int64_t row = view.row_stride * std::int64_t(sizeof(T));
  return has_lanes(view) && row == std::int64_t(std::int32_t(row));
}

/// How much of a product can be had in whole lanes; the host finds out, once.
inline constexpr std::int32_t lanes_of_nothing = 0, lanes_of_values = 1, lanes_of_all = 2;
template <class T>
std::int32_t lanes_in(const ProductArguments<T>& a) {
  if (a.columns % Lane<T>::width != 0 || !has_lanes(a.links.offsets)) return lanes_of_nothing;
  if (!has_near_lanes(a.v) || !has_near_lanes(a.z) || !has_near_lanes(a.add) || !has_near_lanes(a.sum))
    return lanes_of_nothing;
  return has_near_lanes(a.w) ? lanes_of_all : lanes_of_values;
}

/// The neighbours of a row, links counted from the first on.
template <bool Transposed>
struct Neighbours {
  std::uint32_t row, wrapped;  ///< wrapped: once around, which is larger than any row unless it is due

  CHORD_INLINE Neighbours(std::size_t at, std::int64_t n)
      : row(std::uint32_t(at)), wrapped(Transposed ? row + std::uint32_t(n) : row - std::uint32_t(n)) {}
  CHORD_INLINE std::uint32_t operator()(std::int32_t offset) const {
    const std::uint32_t o = Transposed ? 0u - std::uint32_t(offset) : std::uint32_t(offset);
    const std::uint32_t straight = row + o, around = wrapped + o;
    return straight < around ? straight : around;
  }
};

/// Four offsets, and four weights of a row, at a time: with one request each where they are aligned.
template <class T>
struct Fours {
  static constexpr int lanes = Lane<T>::width;
  std::int32_t offset[4];
  T weight[4];

  template <bool Aligned>
  CHORD_INLINE void load_offsets(const std::int32_t* from) {
    if constexpr (Aligned) {
      const auto four = load_aligned<4>(from);
#pragma GCC unroll 4
      for (int b = 0; b < 4; ++b) offset[b] = four[b];
    } else {
#pragma GCC unroll 4
      for (int b = 0; b < 4; ++b) offset[b] = from[b];
    }
  }
  template <bool Aligned>
  CHORD_INLINE void load_weights(const T* from) {
    if constexpr (Aligned) {
#pragma GCC unroll 4
      for (int first = 0; first < 4; first += lanes) {
        const auto some = load_aligned<lanes>(from + first);
#pragma GCC unroll 4
        for (int b = 0; b < lanes; ++b) weight[first + b] = some[b];
      }
    } else {
#pragma GCC unroll 4
      for (int b = 0; b < 4; ++b) weight[b] = from[b];
    }
  }
};

/// Σ_k w·v of Width columns of a row, in the order of the links. Aligned: the weights, too.
template <class T, int Width, bool Transposed, bool Aligned>
CHORD_INLINE vector<T, Width> gather_lane(const Links& links, std::uint32_t row, const View<const T>& w,
                                          const View<const T>& v, std::size_t column) {
  constexpr bool Near = Width > 1;
  const Neighbours<Transposed> neighbour(row, links.n);
  const RowsOf<const T, Near> values(v, column), weights(w);
  const T* own = weights[row];
  const std::int32_t* offsets = links.offsets;
  vector<T, Width> sum = {};
  std::int32_t left = std::int32_t(links.count);
#pragma GCC unroll 1
  for (; left >= 4; left -= 4) {
    Fours<T> four;
    four.template load_offsets<Near>(offsets);
    if constexpr (!Transposed) four.template load_weights<Aligned>(own);
    std::uint32_t from[4];
#pragma GCC unroll 4
    for (int b = 0; b < 4; ++b) from[b] = neighbour(four.offset[b]);
    if constexpr (Transposed)
#pragma GCC unroll 4
      for (int b = 0; b < 4; ++b) four.weight[b] = (weights[from[b]] + (offsets - links.offsets))[b];
    vector<T, Width> value[4];  // all of them are under way before the first is waited for
#pragma GCC unroll 4
    for (int b = 0; b < 4; ++b) value[b] = load_aligned<Width>(values[from[b]]);
#pragma GCC unroll 4
    for (int b = 0; b < 4; ++b) sum += four.weight[b] * value[b];
    offsets += 4;
    own += 4;
  }
#pragma GCC unroll 1
  for (; left > 0; --left) {
    const std::uint32_t from = neighbour(*offsets);
    const T weight = Transposed ? weights[from][offsets - links.offsets] : *own;
    sum += weight * load_aligned<Width>(values[from]);
    ++offsets;
    ++own;
  }
  return sum;
}

/// A view that is there, of one sequence.
template <class Value>
CHORD_INLINE View<Value> of_sequence(View<Value> view, std::size_t sequence) {
  view.data += std::int64_t(sequence) * view.sequence_stride;
  return view;
}

/// What becomes of a sum: one lane of z, and what a product does beside.
template <class T, int Width>
CHORD_INLINE void put_lane(vector<T, Width> sum, std::size_t sequence, std::uint32_t row, std::size_t column,
                           const ProductArguments<T>& a) {
  const auto place = [&]<class Value>(const View<Value>& view) {
    return RowsOf<Value, (Width > 1)>(of_sequence(view, sequence), column)[row];
  };
  if (a.add) sum += load_aligned<Width>(place(a.add));
  if (a.collect != collect_nothing) {
    vector<T, Width> own = load_aligned<Width>(place(a.v));
    if (a.sum.data == a.z.data) {
      sum += own;
    } else {
      T* collected = place(a.sum);
      if (a.collect == collect_more) own += load_aligned<Width>(collected);
      store_aligned<Width>(collected, own);
    }
  }
  store_aligned<Width>(place(a.z), sum);
}

/// One lane of z.
template <class T, int Width>
CHORD_INLINE void product_lane(std::size_t sequence, std::size_t row, std::size_t column,
                               const ProductArguments<T>& a) {
  const View<const T> w = of_sequence(a.w, sequence), v = of_sequence(a.v, sequence);
  vector<T, Width> sum;
  if (Width > 1 && a.lanes == lanes_of_all)
    sum = gather_lane<T, Width, false, true>(a.links, std::uint32_t(row), w, v, column);
  else
    sum = gather_lane<T, Width, false, false>(a.links, std::uint32_t(row), w, v, column);
  put_lane<T, Width>(sum, sequence, std::uint32_t(row), column, a);
}

}  // namespace chord::CHORD_KERNELS
