// Which of a kernel's block shapes suits a device and a number of columns.
#pragma once

#include "device/launch.hpp"

namespace chord {

template <int W, int G, int R>
struct BlockShape {
  static constexpr int width = W, registers = G, rows = R, columns = W * G;
};

/// Runs action with the shape for `columns` columns of T: wide rows use many registers for one row, narrow ones a few
/// rows at a time.
template <class T, class Action>
void with_cpu_shape(std::int64_t columns, Action action) {
  constexpr int vector = 32 / sizeof(T);
  if (columns >= 8 * vector)
    action(BlockShape<vector, 8, 1>());
  else if (columns >= 4 * vector)
    action(BlockShape<vector, 4, 1>());
  else
    action(BlockShape<vector, 1, 4>());
}

template <class T, class Action>
void with_shape(const DeviceDescription& device, std::int64_t columns, Action action) {
  if (device.cpu_like())
    with_cpu_shape<T>(columns, action);
  else
    action(BlockShape<16 / sizeof(T), 1, 1>());
}

inline std::size_t divide_up(std::int64_t a, std::int64_t b) { return static_cast<std::size_t>((a + b - 1) / b); }

}  // namespace chord
