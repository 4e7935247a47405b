// launch<kernel>(queue, grid, arguments…): a typed call of one of the kernels in kernels/list.hpp, on any device.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "device/queue.hpp"
#include "kernels/list.hpp"

namespace chord {

template <auto Kernel>
struct KernelTag {
  static constexpr auto kernel = Kernel;
};

/// A kernel's place in the list identifies it across all ways of compiling.
template <auto Kernel>
constexpr int kernel_number() {
  int number = -1, next = 0;
#define CHORD_MATCH(name, ...)                                                                  \
  if (std::is_same_v<KernelTag<Kernel>, KernelTag<&CHORD_KERNELS::__VA_ARGS__>>) number = next; \
  ++next;
  CHORD_KERNELS_ALL(CHORD_MATCH)
#undef CHORD_MATCH
  return number;
}

template <class Function>
struct KernelSignature;
template <class... Parameters>
struct KernelSignature<void (*)(std::size_t, std::size_t, std::size_t, Parameters...)> {
  using Tuple = std::tuple<Parameters...>;
  static constexpr bool float64 =
      (std::is_same_v<std::remove_const_t<std::remove_pointer_t<Parameters>>, double> || ...);
};

template <auto Kernel, class... Arguments>
void launch(Queue& queue, Grid grid, Arguments... arguments) {
  static_assert(kernel_number<Kernel>() >= 0, "the kernel is missing from kernels/list.hpp");
  if (grid.points() == 0) return;
  // Converted to the kernel's own parameter types: a way may read them by size.
  const typename KernelSignature<decltype(Kernel)>::Tuple values(arguments...);
  std::apply(
      [&](const auto&... value) {
        const void* const pointers[] = {&value...};
        queue.run(kernel_number<Kernel>(), grid, pointers);
      },
      values);
}

}  // namespace chord
