// Which of a kernel's block shapes suits a device and a number of columns.
#pragma once

#include "device/launch.hpp"

namespace chord {

template <int W, int G, int R>
struct BlockShape {
  static constexpr int width = W, registers = G, rows = R, columns = W * G;
};

/// Values of T in a vector register of a CPU.
template <class T>
inline constexpr int cpu_vector = 32 / sizeof(T);

// The shapes of kernels/list.hpp. Wide and medium take whole blocks of columns, the others any number.
template <class T>
using WideShape = BlockShape<cpu_vector<T>, 8, 1>;
template <class T>
using MediumShape = BlockShape<cpu_vector<T>, 4, 1>;
template <class T>
using NarrowShape = BlockShape<cpu_vector<T>, 1, 4>;
template <class T>
using ItemShape = BlockShape<16 / sizeof(T), 1, 1>;

/// A run of columns.
struct ColumnPart {
  std::int64_t first, count;
};

/// Splits `columns` columns of T for a device and runs action(shape, part) for each part: on CPUs as many as fit into
/// blocks of many registers, the rest by the narrow shape, which takes any number.
template <class T, class Action>
void for_column_parts(const DeviceDescription& device, std::int64_t columns, Action action) {
  if (!device.cpu_like()) return action(ItemShape<T>(), ColumnPart{0, columns});
  std::int64_t first = 0;
  const auto take = [&](auto shape, std::int64_t block) {
    const std::int64_t count = (columns - first) / block * block;
    if (count > 0) action(shape, ColumnPart{first, count});
    first += count;
  };
  take(WideShape<T>(), WideShape<T>::columns);
  take(MediumShape<T>(), MediumShape<T>::columns);
  take(NarrowShape<T>(), 1);
}

inline std::size_t divide_up(std::int64_t a, std::int64_t b) { return static_cast<std::size_t>((a + b - 1) / b); }

}  // namespace chord
