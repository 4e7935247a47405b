#pragma once

#include <cstddef>

namespace chord {

/// The points (sequence, row, lane) a kernel is run for; lanes are neighbours.
struct Grid {
  std::size_t sequences = 1, rows = 1, lanes = 1;
  inline __attribute__((always_inline)) std::size_t points() const { return sequences * rows * lanes; }
};

}  // namespace chord
