// Kernels compiled with the library, by DPC++ or AdaptiveCpp.
#include "device/entry_table.hpp"
#include "device/sycl/compiled_launch.hpp"

namespace chord {
namespace {

class CompiledKernels final : public SyclKernels {
 public:
  CompiledKernels(const DeviceDescription& description, std::size_t largest_group)
      : description_(description), largest_group_(largest_group) {}

  void run(sycl::queue& queue, int kernel, Grid grid, const void* const* leaves) override {
    static const compiled::Launch* const launches = compiled::launches(kernels::Entries());
    if (!description_.cpu_like()) expect_points(entry_table()[std::size_t(kernel)], grid);
    launches[kernel]({queue, grid, item_range(grid, description_, largest_group_)}, leaves);
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
