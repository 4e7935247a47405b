// The kernel list compiled for the host. This file is compiled once per instruction set, with CHORD_KERNELS naming the
// copy (see CMakeLists.txt); it includes nothing whose inline code another file could share.
#include "device/host/host_kernels.hpp"

#include <utility>

#include "device/host/threads.hpp"
#include "kernels/list.hpp"

namespace chord::CHORD_KERNELS {
namespace {

// Finer than the threads need: on a busy machine, one that comes late finds less to do.
constexpr std::size_t runs_per_thread = 8;

template <auto Kernel, class... Parameters>
void run_values(Grid grid, Parameters... values) {
  const std::size_t points = grid.points();
  const std::size_t wanted = host_threads() * runs_per_thread;
  const std::size_t length = (points + wanted - 1) / wanted;
  const auto run = [=](std::size_t piece) {
    const std::size_t first = piece * length;
    visit(first, first + length < points ? first + length : points, grid.rows, grid.lanes,
          [=](std::size_t sequence, std::size_t row, std::size_t lane) { Kernel(sequence, row, lane, values...); });
  };
  run_on_threads((points + length - 1) / length,
                 [](const void* data, std::size_t piece) { (*static_cast<decltype(&run)>(data))(piece); }, &run);
}

template <auto Kernel, class... Parameters, std::size_t... I>
void run_untyped(Grid grid, const void* const* arguments,
                 void (*)(std::size_t, std::size_t, std::size_t, Parameters...), std::index_sequence<I...>) {
  run_values<Kernel, Parameters...>(grid, *static_cast<const Parameters*>(arguments[I])...);
}

template <class... Parameters>
constexpr std::size_t arity(void (*)(std::size_t, std::size_t, std::size_t, Parameters...)) {
  return sizeof...(Parameters);
}

template <auto Kernel>
void run(Grid grid, const void* const* arguments) {
  run_untyped<Kernel>(grid, arguments, Kernel, std::make_index_sequence<arity(Kernel)>());
}

#define CHORD_ENTRY(name, ...) &run<&__VA_ARGS__>,
constexpr HostKernel table[] = {CHORD_KERNELS_ALL(CHORD_ENTRY)};

}  // namespace

extern const HostKernel* const host_table;
const HostKernel* const host_table = table;

}  // namespace chord::CHORD_KERNELS
