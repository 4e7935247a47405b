#pragma once

#include <cstddef>

namespace chord {

/// The points (sequence, row, lane) a kernel is called for.
struct Grid {
  std::size_t sequences = 1, rows = 1, lanes = 1;
  std::size_t points() const { return sequences * rows * lanes; }
};

}  // namespace chord
