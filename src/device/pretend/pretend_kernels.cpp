#include "device/pretend/pretend_kernels.hpp"

#include <tuple>
#include <utility>

#include "common/error.hpp"
#include "device/launch.hpp"

namespace chord {
namespace {

template <class T>
void keep_pointer(std::vector<const void*>& pointers, T value) {
  if constexpr (std::is_pointer_v<T>) pointers.push_back(value);
}

template <auto Kernel, class Values>
void run_backwards(Grid grid, const Values& values) {
  std::apply(
      [&](auto... value) {
        for (std::size_t sequence = grid.sequences; sequence-- > 0;)
          for (std::size_t row = grid.rows; row-- > 0;)
            for (std::size_t lane = grid.lanes; lane-- > 0;) Kernel(sequence, row, lane, value...);
      },
      values);
}

template <auto Kernel>
PretendLaunch record(Grid grid, const void* const* arguments) {
  using Values = typename KernelSignature<decltype(Kernel)>::Tuple;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const Values values(*static_cast<const std::tuple_element_t<I, Values>*>(arguments[I])...);
    PretendLaunch launch;
    (keep_pointer(launch.pointers, std::get<I>(values)), ...);
    launch.run = [=] { run_backwards<Kernel>(grid, values); };
    return launch;
  }(std::make_index_sequence<std::tuple_size_v<Values>>());
}

using Record = PretendLaunch (*)(Grid grid, const void* const* arguments);

#define CHORD_ENTRY(name, ...) &record<&CHORD_KERNELS::__VA_ARGS__>,
#define CHORD_NO_ENTRY(name, ...) nullptr,
constexpr Record table[] = {CHORD_KERNELS_ANY(CHORD_ENTRY) CHORD_KERNELS_CPU(CHORD_NO_ENTRY)
                                CHORD_KERNELS_GPU(CHORD_ENTRY)};
#undef CHORD_ENTRY
#undef CHORD_NO_ENTRY

}  // namespace

PretendLaunch pretend_launch(int kernel, Grid grid, const void* const* arguments) {
  if (!table[kernel]) fail(Status::compilation_failed, "kernel ", kernel, " is not compiled for GPUs");
  return table[kernel](grid, arguments);
}

}  // namespace chord
