// Kernels compiled with the library, by DPC++ or AdaptiveCpp.
#include <utility>

#include "device/sycl/sycl_kernels.hpp"
#include "kernels/list.hpp"

namespace chord {
namespace {

struct Target {
  sycl::queue& queue;
  Grid grid;
  ItemRange range;
};
using CompiledKernel = void (*)(Target target, const void* const* arguments);

template <auto Kernel, class... Parameters>
void submit(Target target, Parameters... values) {
  const std::size_t points = target.grid.points(), rows = target.grid.rows, lanes = target.grid.lanes;
  const std::size_t run = target.range.run;
  target.queue.parallel_for(sycl::nd_range<1>(target.range.items, target.range.group), [=](sycl::nd_item<1> item) {
    const std::size_t first = item.get_global_id(0) * run;
    kernels::visit(
        first, first + run < points ? first + run : points, rows, lanes,
        [=](std::size_t sequence, std::size_t row, std::size_t lane) { Kernel(sequence, row, lane, values...); });
  });
}

template <auto Kernel, class... Parameters, std::size_t... I>
void submit_untyped(Target target, const void* const* arguments,
                    void (*)(std::size_t, std::size_t, std::size_t, Parameters...), std::index_sequence<I...>) {
  submit<Kernel, Parameters...>(target, *static_cast<const Parameters*>(arguments[I])...);
}

template <class... Parameters>
constexpr std::size_t arity(void (*)(std::size_t, std::size_t, std::size_t, Parameters...)) {
  return sizeof...(Parameters);
}

template <auto Kernel>
void run(Target target, const void* const* arguments) {
  submit_untyped<Kernel>(target, arguments, Kernel, std::make_index_sequence<arity(Kernel)>());
}

#define CHORD_ENTRY(name, ...) &run<&kernels::__VA_ARGS__>,
constexpr CompiledKernel table[] = {CHORD_KERNELS_ALL(CHORD_ENTRY)};

class CompiledKernels final : public SyclKernels {
 public:
  CompiledKernels(const DeviceDescription& description, std::size_t largest_group)
      : description_(description), largest_group_(largest_group) {}

  void run(sycl::queue& queue, int kernel, Grid grid, const void* const* arguments) override {
    table[kernel]({queue, grid, item_range(grid, description_, largest_group_)}, arguments);
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
