#include "device/pretend/pretend_kernels.hpp"

#include "common/error.hpp"
#include "device/entry_table.hpp"
#include "device/pretend/group_on_host.hpp"

namespace chord {
namespace {

template <class Entry>
void run_backwards(Grid grid, const typename Entry::Arguments& arguments) {
  for (std::size_t sequence = grid.sequences; sequence-- > 0;)
    for (std::size_t row = grid.rows; row-- > 0;)
      for (std::size_t lane = grid.lanes; lane-- > 0;)
        Entry::Operation::template run<typename Entry::T, typename Entry::Shape>(sequence, row, lane, arguments);
}

/// Every group with memory that nobody has written yet.
template <class Entry>
void run_groups_backwards(Grid grid, const typename Entry::Arguments& arguments) {
  for (std::size_t index = grid.points(); index-- > 0;) {
    GroupOnHost group(index, int(grid.group_lanes), grid.local_bytes);
    Entry::Operation::template run_group<typename Entry::T, typename Entry::Shape>(group, arguments);
    group.expect_all_is_well();
  }
}

template <class Entry>
PretendLaunch record(Grid grid, const void* const* leaves) {
  if constexpr (Entry::devices == kernels::Devices::cpu) {
    fail(Status::compilation_failed, "an operation was launched that is not compiled for GPUs");
  } else {
    const auto arguments = kernels::from_leaves<typename Entry::Arguments>(leaves);
    PretendLaunch launch;
    const auto keep_pointer = [&](const auto& leaf) {
      if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(leaf)>>) launch.pointers.push_back(leaf);
    };
    kernels::for_each_leaf(arguments, keep_pointer);
    launch.run = [=] {
      if constexpr (kernels::is_group<typename Entry::Shape>)
        run_groups_backwards<Entry>(grid, arguments);
      else
        run_backwards<Entry>(grid, arguments);
    };
    return launch;
  }
}

using Record = PretendLaunch (*)(Grid grid, const void* const* leaves);

template <class... Each>
const Record* table_of(kernels::List<Each...>) {
  static constexpr Record table[] = {&record<Each>...};
  return table;
}

}  // namespace

PretendLaunch pretend_launch(int entry, Grid grid, const void* const* leaves) {
  static const Record* const table = table_of(kernels::Entries());
  return table[entry](grid, leaves);
}

}  // namespace chord
