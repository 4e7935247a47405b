#include "device/cuda/cuda_backend.hpp"

#include "common/error.hpp"
#include "device/cuda/cuda_queue.hpp"
#include "device/cuda/ptx.hpp"

namespace chord {
namespace {

using namespace cuda;

class CudaBackend final : public Backend {
 public:
  CudaBackend() {
    for (const Found& each : find_gpus())
      if (each.capability >= oldest_capability)
        devices_.push_back(each.description);
      else
        left_out_ += text("; ", each.description.name, " is left out: sm_", each.capability, ", expected sm_",
                          oldest_capability, " or newer");
    if (devices_.empty()) fail(Status::unsupported, "the NVIDIA driver has no GPU for us", left_out_);
  }

  std::string name() const override { return "cuda"; }
  std::string description() const override {
    return text("the NVIDIA driver, CUDA ", version_text(driver().version), left_out_);
  }
  std::vector<DeviceDescription> devices() const override { return devices_; }
  std::unique_ptr<Queue> open(const DeviceDescription& device) override {
    return std::make_unique<CudaQueue>(Gpu::get(number_of(device)), device);
  }
  std::unique_ptr<Queue> adopt(const ForeignQueue& foreign) override {
    const std::string selector = text("cuda:", foreign.device);
    for (const DeviceDescription& device : devices_)
      if (device.selector == selector)
        return std::make_unique<CudaQueue>(Gpu::get(foreign.device), device,
                                           static_cast<cuda::Stream*>(foreign.handle));
    fail(Status::no_such_device, "no device '", selector, "' here");
  }

 private:
  static int number_of(const DeviceDescription& device) {
    return std::stoi(device.selector.substr(device.selector.find(':') + 1));
  }

  std::vector<DeviceDescription> devices_;
  std::string left_out_;
};

}  // namespace

std::unique_ptr<Backend> open_cuda_backend() {
  if (!kernels_ptx)
    fail(Status::unsupported, "NVIDIA GPUs are left out of this library: there was no Clang 19 when it was built");
  return std::make_unique<CudaBackend>();
}

}  // namespace chord
