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

/// Rows and lanes of a grid as a GPU's work-items are given them. GPUs have no instruction for divisions, so each
/// number has its reciprocal in its upper half, ⌈2^(31 + s) / number⌉ with the least s for which 2^s is not less than
/// it: the upper bits of a product of 64 bits are the exact quotient of any number below 2^31.
struct GridForGpu {
  std::size_t points, shifts, rows, lanes;  ///< shifts: 31 + s of lanes, and of rows 32 bits higher

  explicit GridForGpu(const Grid& grid)
      : points(grid.points()),
        shifts(shift_for(grid.lanes) | shift_for(grid.rows) << 32),
        rows(with_reciprocal(grid.rows)),
        lanes(with_reciprocal(grid.lanes)) {}

 private:
  static std::size_t shift_for(std::size_t number) {
    std::size_t shift = 31;
    while ((std::size_t(1) << (shift - 31)) < number) ++shift;
    return shift;
  }
  static std::size_t with_reciprocal(std::size_t number) {
    return number | divide_up(std::size_t(1) << shift_for(number), number) << 32;
  }
};

CHORD_INLINE std::uint32_t quotient(std::uint32_t number, std::size_t divisor, std::uint32_t shift) {
  return std::uint32_t(std::uint64_t(number) * std::uint32_t(divisor >> 32) >> shift);
}

/// visit() for the one point of a GPU's work-item.
template <class Body>
CHORD_INLINE void visit_point(std::size_t point, std::size_t points, std::size_t shifts, std::size_t rows,
                              std::size_t lanes, Body body) {
  if (point >= points) return;
  const auto all = std::uint32_t(point);
  const std::uint32_t row_of_all = quotient(all, lanes, std::uint32_t(shifts));
  const std::uint32_t sequence = quotient(row_of_all, rows, std::uint32_t(shifts >> 32));
  body(std::size_t(sequence), std::size_t(row_of_all - sequence * std::uint32_t(rows)),
       std::size_t(all - row_of_all * std::uint32_t(lanes)));
}

}  // namespace chord::CHORD_KERNELS
