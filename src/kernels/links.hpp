// Where the links of a factor lead, and what a product with it takes.
#pragma once

#include "operation.hpp"

namespace chord::CHORD_KERNELS {

/// Where the links of a factor's n rows lead. Offsets are reduced to 0 ≤ o < n beforehand.
struct Links {
  const std::int32_t* offsets = nullptr;
  std::int64_t n = 0, count = 0;
};

template <bool Transposed>
CHORD_INLINE std::size_t neighbour(std::size_t row, std::size_t offset, std::size_t n) {
  if (Transposed) return row >= offset ? row - offset : row + n - offset;
  return row + offset < n ? row + offset : row + offset - n;
}

/// What a product does beside: its input is part of a sum, too.
inline constexpr std::int32_t collect_nothing = 0, collect_first = 1, collect_more = 2;

/// Of a factor or its transpose, from v to z.
template <class T>
struct ProductArguments {
  View<const T> w, v;
  View<T> z;
  View<const T> add;  ///< none, z itself (accumulate) or another matrix (a residual)
  Links links;
  std::int64_t sequences, columns;
  View<T> sum =
      {};  ///< of inputs, for GPUs, where it saves a launch: becomes v, or v is added; z itself: to the result
  std::int32_t collect = collect_nothing;
  std::int32_t lanes = 0, rows_each = 1;  ///< for GPUs, by prepare(); rows_each: of a lane, for values_group.hpp
};

}  // namespace chord::CHORD_KERNELS
