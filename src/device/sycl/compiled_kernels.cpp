// Kernels compiled with the library, by DPC++ or AdaptiveCpp.
#include <utility>

#include "device/sycl/sycl_kernels.hpp"
#include "kernels/entries.hpp"

namespace chord {
namespace {

struct Target {
  sycl::queue& queue;
  Grid grid;
  ItemRange range;
};
using CompiledKernel = void (*)(Target target, const void* const* leaves);

/// The arguments reach the device as what they are made of: a struct would be too much for some compilers.
template <class Entry, class... Types>
void submit(Target target, Types... leaves) {
  const std::size_t points = target.grid.points(), rows = target.grid.rows, lanes = target.grid.lanes;
  const std::size_t run = target.range.run;
  target.queue.parallel_for(sycl::nd_range<1>(target.range.items, target.range.group), [=](sycl::nd_item<1> item) {
    const std::size_t first = item.get_global_id(0) * run;
    const typename Entry::Arguments arguments{leaves...};
    kernels::visit({first, first + run < points ? first + run : points}, rows, lanes,
                   [&](std::size_t sequence, std::size_t row, std::size_t lane) {
                     Entry::Operation::template run<typename Entry::T, typename Entry::Shape>(sequence, row, lane,
                                                                                              arguments);
                   });
  });
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
