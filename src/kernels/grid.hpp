#pragma once

#include <cstddef>

namespace chord {

/// The points (sequence, row, lane) a kernel is run for; lanes are neighbours.
struct Grid {
  std::size_t sequences = 1, rows = 1, lanes = 1;
  /// Where points are work-groups (kernels/group.hpp): lanes of each, and bytes of the memory that they share.
  std::size_t group_lanes = 0, local_bytes = 0;
  inline __attribute__((always_inline)) std::size_t points() const { return sequences * rows * lanes; }
};

}  // namespace chord
