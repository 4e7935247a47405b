// Walking the grid of a launch: points (sequence, row, lane), lanes fastest. One loop serves every way of running a
// kernel: a GPU's work-item visits one point, a CPU's thread or work-item a run of them.
#pragma once

#include "vector.hpp"

namespace chord::CHORD_KERNELS {

/// body(sequence, row, lane) for the points [first, last); one division at the start, then counting.
template <class Body>
CHORD_INLINE void visit(std::size_t first, std::size_t last, std::size_t rows, std::size_t lanes, Body body) {
  if (first >= last) return;
  std::size_t lane = first % lanes, row = first / lanes % rows, sequence = first / lanes / rows;
  for (std::size_t point = first;;) {
    body(sequence, row, lane);
    if (++point == last) return;
    if (++lane < lanes) continue;
    lane = 0;
    if (++row < rows) continue;
    row = 0;
    ++sequence;
  }
}

}  // namespace chord::CHORD_KERNELS
