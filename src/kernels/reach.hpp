// Where the neighbours of rows lie that follow each other, and their weights, for a CPU that works through them.
#pragma once

#include "links.hpp"

namespace chord::CHORD_KERNELS {

/// How many rows away each link's neighbour lies, back where negative: the same for all rows until the first of them
/// whose neighbour lies beyond the end. Knowing them beforehand leaves nothing but loads and products in inner loops.
template <bool Transposed>
struct Reach {
  static constexpr std::int64_t limit = 32;  ///< links
  std::int64_t distance[limit];
  std::size_t end;  ///< the first row for which they differ

  CHORD_INLINE Reach(const Links& links, Range rows) : end(rows.last) {
    const std::size_t n = links.n;
    for (int k = 0; k < links.count; ++k) {
      const std::size_t offset = links.offsets[k], turn = Transposed ? offset : n - offset;
      const bool before = rows.first < turn;
      distance[k] = std::int64_t(Transposed ? (before ? n - offset : -offset) : (before ? offset : offset - n));
      if (before && turn < end) end = turn;
    }
  }
  CHORD_INLINE std::int64_t operator[](int link) const { return distance[link]; }
};

/// The same for one row, link by link: a GPU's lane has no more, and registers cannot be indexed.
template <bool Transposed>
struct ReachOfRow {
  Links links;
  std::size_t row;

  CHORD_INLINE std::int64_t operator[](int link) const {
    return std::int64_t(neighbour<Transposed>(row, links.offsets[link], links.n)) - std::int64_t(row);
  }
};

/// Asks for the weights of a few rows that are wanted soon. A factor of a long sequence passes by once, from memory or
/// a shared cache, and what guesses the next lines by itself is behind: rows of eight took 1.4 to 2.8 times as long
/// (Zen 5). With longer rows there are fewer weights for what is done, and asking cost 1 to 3 % where they were near.
template <Access Kind, class T>
CHORD_INLINE void fetch_weights(const View<T>& w, std::size_t row, int rows) {
  constexpr std::int64_t ahead = 4096 / sizeof(T);
  prefetch<Kind>(w.row(row) + ahead, rows * w.row_stride);
}

}  // namespace chord::CHORD_KERNELS
