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

template <class Op, class T>
void launch(Queue& queue, const typename Op::template Arguments<T>& arguments) {
  with_shape<Op, T>(queue.device(), [&](auto shape) {
    using Shape = decltype(shape);
    if constexpr (std::is_same_v<Shape, kernels::NotThere>) {
      fail(Status::internal, operation_name<Op>(), " is not made for ", queue.device().name);
    } else {
      const Grid grid = Op::template grid<T, Shape>(arguments);
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
