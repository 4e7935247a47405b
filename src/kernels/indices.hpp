// Tokens and classes as indices: what lies outside of a table is reported, never used.
#pragma once

#include "operation.hpp"

namespace chord::CHORD_KERNELS {

/// Per piece of a batch, the place of its first index that is none, or −1.
struct Faults {
  const std::int64_t* places = nullptr;
  std::int64_t count = 0;

  CHORD_INLINE bool any() const {
    for (std::int64_t i = 0; i < count; ++i)
      if (places[i] >= 0) return true;
    return false;
  }
};

/// For kernels that are run before anyone has read the faults.
CHORD_INLINE std::int64_t clamped(std::int32_t index, std::int64_t limit) {
  return index < 0 ? 0 : index < limit ? index : limit - 1;
}

/// places[piece] = the place of the piece's first value outside of 0 … limit − 1, or −1.
struct check_indices : Everywhere {
  using types = List<std::int32_t>;

  template <class T>
  struct Arguments {
    const T* values;
    std::int64_t* places;
    std::int64_t count, pieces, limit;
    std::int64_t length = 0;  ///< of a piece, by prepare()
  };

  template <class T, class Shape>
  static void prepare(Arguments<T>& a) {
    if (a.pieces > 0) a.length = std::int64_t(divide_up(a.count, a.pieces));
  }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.pieces)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    return {0, double(a.count) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t piece, std::size_t, const Arguments<T>& a) {
    const Range range = piece_of(piece, a.length, a.count);
    std::int64_t first = -1;
    for (std::size_t i = range.last; i > range.first; --i)
      if (a.values[i - 1] < 0 || a.values[i - 1] >= a.limit) first = std::int64_t(i - 1);
    a.places[piece] = first;
  }
};

}  // namespace chord::CHORD_KERNELS
