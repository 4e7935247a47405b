// The operations compiled for the host. This file is compiled once per instruction set, with CHORD_KERNELS naming the
// copy (cmake/HostKernels.cmake); it includes nothing whose inline code another file could share.
#include "device/host/host_kernels.hpp"

#include "device/host/threads.hpp"
#include "kernels/entries.hpp"

namespace chord::CHORD_KERNELS {
namespace {

// Finer than the threads need: on a busy machine, one that comes late finds less to do.
constexpr std::size_t runs_per_thread = 8;

template <class Entry>
void run_all(Grid grid, const typename Entry::Arguments& given) {
  const std::size_t points = grid.points();
  const std::size_t wanted = host_threads() * runs_per_thread;
  const std::size_t length = divide_up(points, wanted);
  const auto run = [=](std::size_t piece) {
    const typename Entry::Arguments arguments = given;  // a copy that nothing else can change
    const Range range = piece_of(piece, length, points);
    visit(range, grid.rows, grid.lanes, [&](std::size_t sequence, std::size_t row, std::size_t lane) {
      Entry::Operation::template run<typename Entry::T, typename Entry::Shape>(sequence, row, lane, arguments);
    });
  };
  run_on_threads(
      divide_up(points, length),
      [](const void* data, std::size_t piece) { (*static_cast<decltype(&run)>(data))(piece); }, &run);
}

template <class Entry>
void run(Grid grid, const void* const* leaves) {
  run_all<Entry>(grid, from_leaves<typename Entry::Arguments>(leaves));
}

template <class... Each>
const HostKernel* table_of(List<Each...>) {
  static constexpr HostKernel table[] = {&run<Each>...};
  return table;
}

}  // namespace

extern const HostKernel* const host_table;
const HostKernel* const host_table = table_of(Entries());

}  // namespace chord::CHORD_KERNELS
