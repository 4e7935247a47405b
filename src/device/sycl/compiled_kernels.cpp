// Kernels compiled with the library, by DPC++ or AdaptiveCpp.
#include <utility>

#include "device/entry_table.hpp"
#include "device/sycl/sycl_kernels.hpp"

namespace chord {
namespace {

struct Target {
  sycl::queue& queue;
  Grid grid;
  ItemRange range;
};
using CompiledKernel = void (*)(Target target, const void* const* leaves);

// Whether this is a pass of the compiler for a kind of GPU. It leaves the kernels of CPUs empty: they would cost time,
// and spill registers. One that makes an intermediate language for all devices cannot know; what comes of that is
// compiled kernel by kernel, when it is first launched (AdaptiveCpp's generic target, and DPC++ with a module for each
// kernel: cmake/SyclModule.cmake).
#if defined(__NVPTX__) || defined(__AMDGCN__) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
constexpr bool for_gpu = true;
#else
constexpr bool for_gpu = false;
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

/// The arguments reach the device as what they are made of: a struct would be too much for some compilers.
template <class Entry, class... Types>
void submit_group(Target target, Types... leaves) {
  target.queue.submit([&](sycl::handler& handler) {
    const sycl::local_accessor<kernels::LocalLine, 1> local(sycl::range<1>(local_lines(target.grid)), handler);
    handler.parallel_for(sycl::nd_range<1>(target.range.items, target.range.group), [=](sycl::nd_item<1> item) {
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
  target.queue.parallel_for(sycl::nd_range<1>(target.range.items, target.range.group), [=](sycl::nd_item<1> item) {
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
void run(Target target, const void* const* leaves) {
  [&]<class... Types, std::size_t... I>(kernels::List<Types...>, std::index_sequence<I...>) {
    submit<Entry>(target, *static_cast<const Types*>(leaves[I])...);
  }(kernels::Leaves<typename Entry::Arguments>(),
    std::make_index_sequence<kernels::size_of_list(kernels::Leaves<typename Entry::Arguments>())>());
}

template <class... Each>
const CompiledKernel* table_of(kernels::List<Each...>) {
  static constexpr CompiledKernel table[] = {&run<Each>...};
  return table;
}

class CompiledKernels final : public SyclKernels {
 public:
  CompiledKernels(const DeviceDescription& description, std::size_t largest_group)
      : description_(description), largest_group_(largest_group) {}

  void run(sycl::queue& queue, int kernel, Grid grid, const void* const* leaves) override {
    static const CompiledKernel* const table = table_of(kernels::Entries());
    if (!description_.cpu_like()) expect_points(entry_table()[std::size_t(kernel)], grid);
    table[kernel]({queue, grid, item_range(grid, description_, largest_group_)}, leaves);
  }

 private:
  DeviceDescription description_;
  std::size_t largest_group_;
};

}  // namespace

#ifdef __ACPP__
const char* const sycl_backend_name = "adaptivecpp";
#else
const char* const sycl_backend_name = "dpcpp";
#endif

std::shared_ptr<SyclKernels> make_sycl_kernels(const sycl::context&, const sycl::device& device,
                                               const DeviceDescription& description, const ModuleServices&) {
  return std::make_shared<CompiledKernels>(description, device.get_info<sycl::info::device::max_work_group_size>());
}

}  // namespace chord
