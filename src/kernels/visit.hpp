// Walking the grid of a launch: points (sequence, row, lane), lanes fastest. One loop serves every backend: a GPU's
// work-item visits one point, a CPU's thread or work-item a run of them.
#pragma once

#include "operation.hpp"

namespace chord::CHORD_KERNELS {

/// body(sequence, row, lane) for some of the points; one division at the start, then counting.
template <class Body>
CHORD_INLINE void visit(Range points, std::size_t rows, std::size_t lanes, Body body) {
  if (points.first >= points.last) return;
  std::size_t lane = points.first % lanes, row = points.first / lanes % rows, sequence = points.first / lanes / rows;
  for (std::size_t point = points.first;;) {
    body(sequence, row, lane);
    if (++point == points.last) return;
    if (++lane < lanes) continue;
    lane = 0;
    if (++row < rows) continue;
    row = 0;
    ++sequence;
  }
}

}  // namespace chord::CHORD_KERNELS
