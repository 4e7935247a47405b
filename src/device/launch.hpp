// launch<operation, T>(queue, {.name = value, …}): runs one of the operations in kernels/list.hpp on any device.
#pragma once

#include <array>

#include "common/error.hpp"
#include "device/queue.hpp"
#include "kernels/entries.hpp"

namespace chord {

template <class Op>
constexpr const char* operation_name() {
  const char* found = "";
#define CHORD_NAME(name) \
  if (std::is_same_v<Op, kernels::name>) found = #name;
  CHORD_OPERATIONS(CHORD_NAME)
#undef CHORD_NAME
  return found;
}

/// Runs action with the shape an operation has on a device: with_shape<Op, T>(device, [](auto shape) { … }).
template <class Op, class T, class Action>
auto with_shape(const DeviceDescription& device, Action action) {
  if (device.cpu_like()) return action(typename Op::template cpu<T>());
  return action(typename Op::template gpu<T>());
}

/// The groups of a launch. Smaller ones where the memory of a large one does not fit, or where a part of the device
/// would have none.
template <class Op, class T, class Shape>
Grid group_grid(const DeviceDescription& device, const typename Op::template Arguments<T>& arguments) {
  int lanes = device.group_lanes;
  const auto groups = [&] { return std::size_t(Op::template groups<T, Shape>(arguments, lanes)); };
  const auto bytes = [&] { return std::size_t(Op::template local_bytes<T, Shape>(arguments, lanes)); };
  const auto more_groups = [&] {
    return groups() < std::size_t(device.units) &&
           groups() < std::size_t(Op::template groups<T, Shape>(arguments, lanes / 2));
  };
  while (lanes > kernels::least_group_lanes && (bytes() > device.local_bytes || more_groups())) lanes /= 2;
  if (bytes() > device.local_bytes)
    fail(Status::unsupported, operation_name<Op>(), " needs ", bytes(), " bytes of local memory; ", device.name,
         " has ", device.local_bytes);
  return {1, groups(), 1, std::size_t(lanes), bytes()};
}

/// The points of a launch, or its groups.
template <class Op, class T, class Shape>
Grid grid_of(const DeviceDescription& device, const typename Op::template Arguments<T>& arguments) {
  if constexpr (kernels::is_group<Shape>)
    return group_grid<Op, T, Shape>(device, arguments);
  else
    return Op::template grid<T, Shape>(arguments);
}

template <class Op, class T>
void launch(Queue& queue, typename Op::template Arguments<T> arguments) {
  with_shape<Op, T>(queue.device(), [&](auto shape) {
    using Shape = decltype(shape);
    if constexpr (requires { Op::template prepare<T, Shape>(arguments); }) Op::template prepare<T, Shape>(arguments);
    if constexpr (std::is_same_v<Shape, kernels::NotThere>) {
      fail(Status::internal, operation_name<Op>(), " is not made for ", queue.device().name);
    } else {
      const Grid grid = grid_of<Op, T, Shape>(queue.device(), arguments);
      if (grid.points() == 0) return;
      std::array<const void*, kernels::size_of_list(kernels::Leaves<typename Op::template Arguments<T>>())> pointers{};
      auto next = pointers.begin();
      auto collect = [&](const auto& leaf) { *next++ = &leaf; };
      kernels::for_each_leaf(arguments, collect);
      constexpr int on_cpu = kernels::entry_number<Op, T>(kernels::Devices::cpu),
                    on_gpu = kernels::entry_number<Op, T>(kernels::Devices::gpu);
      queue.run(queue.device().cpu_like() ? on_cpu : on_gpu, grid, pointers.data());
    }
  });
}

}  // namespace chord
