// How an entry is launched that DPC++ or AdaptiveCpp compiled with the library: all that becomes device code.
#pragma once

#include <utility>

#include "device/sycl/sycl_kernels.hpp"
#include "kernels/entries.hpp"

namespace chord::compiled {

struct Target {
  sycl::queue& queue;
  Grid grid;
  ItemRange range;
};
using Launch = void (*)(Target target, const void* const* leaves);

// Whether this is a pass of the compiler for a kind of GPU. It leaves the kernels of CPUs empty: they would cost time,
// and spill registers. One that makes an intermediate language for all devices cannot know; what comes of that is
// compiled kernel by kernel, when it is first launched (AdaptiveCpp's generic target, and DPC++ with a module for each
// kernel: cmake/SyclModule.cmake).
#if defined(__NVPTX__) || defined(__AMDGCN__) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
inline constexpr bool for_gpu = true;
#else
inline constexpr bool for_gpu = false;
#endif

class Item {
 public:
  Item(const sycl::nd_item<1>& item, const sycl::local_accessor<kernels::LocalLine, 1>& local)
      : item_(item), local_(&local[0]) {}
  std::size_t index() const { return item_.get_group(0); }
  int lane() const { return int(item_.get_local_id(0)); }
  int lanes() const { return int(item_.get_local_range(0)); }
  void barrier() const { sycl::group_barrier(item_.get_group()); }
  kernels::LocalLine* local() const { return local_; }

 private:
  sycl::nd_item<1> item_;
  kernels::LocalLine* local_;
};

/// The arguments reach the device as what they are made of: a struct would be too much for some compilers. The largest
/// kernels would be called by their entry, unless they are inlined.
template <class Entry, class... Types>
void submit_group(Target target, Types... leaves) {
  target.queue.submit([&](sycl::handler& handler) {
    const sycl::local_accessor<kernels::LocalLine, 1> local(sycl::range<1>(local_lines(target.grid)), handler);
    handler.parallel_for(
        sycl::nd_range<1>(target.range.items, target.range.group), [=](sycl::nd_item<1> item) CHORD_INLINED {
          const typename Entry::Arguments arguments{leaves...};
          kernels::LaneOfGroup<Item> group(Item(item, local));
          Entry::Operation::template run_group<typename Entry::T, typename Entry::Shape>(group, arguments);
        });
  });
}

template <class Entry, class... Types>
void submit_points(Target target, Types... leaves) {
  const std::size_t points = target.grid.points(), rows = target.grid.rows, lanes = target.grid.lanes;
  const std::size_t run = target.range.run;
  const kernels::GridForGpu gpu(target.grid);
  target.queue.parallel_for(
      sycl::nd_range<1>(target.range.items, target.range.group), [=](sycl::nd_item<1> item) CHORD_INLINED {
        const std::size_t first = item.get_global_id(0) * run;
        const typename Entry::Arguments arguments{leaves...};
        const auto body = [&](std::size_t sequence, std::size_t row, std::size_t lane) {
          Entry::Operation::template run<typename Entry::T, typename Entry::Shape>(sequence, row, lane, arguments);
        };
        if constexpr (Entry::devices == kernels::Devices::gpu)
          kernels::visit_point(first, gpu.points, gpu.shifts, gpu.rows, gpu.lanes, body);
        else if (!(for_gpu && Entry::devices == kernels::Devices::cpu))
          kernels::visit({first, first + run < points ? first + run : points}, rows, lanes, body);
      });
}

template <class Entry, class... Types>
void submit(Target target, Types... leaves) {
  if constexpr (kernels::is_group<typename Entry::Shape>)
    submit_group<Entry>(target, leaves...);
  else
    submit_points<Entry>(target, leaves...);
}

template <class Entry>
void launch(Target target, const void* const* leaves) {
  [&]<class... Types, std::size_t... I>(kernels::List<Types...>, std::index_sequence<I...>) {
    submit<Entry>(target, *static_cast<const Types*>(leaves[I])...);
  }(kernels::Leaves<typename Entry::Arguments>(),
    std::make_index_sequence<kernels::size_of_list(kernels::Leaves<typename Entry::Arguments>())>());
}

/// Of all entries, in the list's order.
template <class... Each>
const Launch* launches(kernels::List<Each...>) {
  static constexpr Launch table[] = {&launch<Each>...};
  return table;
}

}  // namespace chord::compiled
