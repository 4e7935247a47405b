// The SYCL module: the devices of whatever SYCL runtime it was built for.
#include <algorithm>

#include "common/error.hpp"
#include "common/memory.hpp"
#include "device/sycl/module.hpp"
#include "device/sycl/sycl_queue.hpp"

namespace chord {
namespace {

/// The interface below SYCL, which SYCL calls a backend: the first half of a selector. `cuda` alone is the backend that
/// needs no SYCL (device/cuda).
std::string driver_name(const sycl::device& device) {
  switch (device.get_backend()) {
#ifdef __ACPP__
    case sycl::backend::omp: return "omp";
    case sycl::backend::cuda: return "sycl_cuda";
    case sycl::backend::hip: return "hip";
    case sycl::backend::level_zero: return "level_zero";
    case sycl::backend::ocl: return "opencl";
#else
    case sycl::backend::opencl: return "opencl";
    case sycl::backend::ext_oneapi_level_zero: return "level_zero";
    case sycl::backend::ext_oneapi_cuda: return "sycl_cuda";
    case sycl::backend::ext_oneapi_hip: return "hip";
#endif
    default: return "sycl";
  }
}

struct FoundDevice {
  sycl::device device;
  DeviceDescription description;
};

/// A driver that fails costs its own devices only.
std::vector<sycl::device> all_devices(const ModuleServices& services) {
  std::vector<sycl::device> all;
  for (const sycl::platform& platform : sycl::platform::get_platforms()) {
    try {
      const std::vector<sycl::device> devices = platform.get_devices();
      all.insert(all.end(), devices.begin(), devices.end());
    } catch (const sycl::exception& error) {
      services.log(LogLevel::warning, text("a SYCL driver is left out: it cannot list its devices: ", error.what()));
    }
  }
  return all;
}

std::vector<FoundDevice> find_devices(const ModuleServices& services) {
  std::vector<FoundDevice> found;
  std::vector<std::string> seen;
  for (const sycl::device& device : all_devices(services)) {
    const std::string driver = driver_name(device);
    DeviceDescription d;
    d.selector = text(driver, ':', std::count(seen.begin(), seen.end(), driver));
    seen.push_back(driver);
    d.name = device.get_info<sycl::info::device::name>();
    d.kind = device.is_cpu() ? DeviceKind::cpu : device.is_gpu() ? DeviceKind::gpu : DeviceKind::other;
    d.backend = sycl_backend_name;
    d.units = int(device.get_info<sycl::info::device::max_compute_units>());
    // GPUs may claim it too (drivers with HMM); tensors would then live in host memory, far from the GPU.
    d.host_readable = device.is_cpu() && device.has(sycl::aspect::usm_system_allocations);
    // Some CPU devices claim more than there is.
    d.memory_bytes = device.get_info<sycl::info::device::global_mem_size>();
    if (d.host_readable) d.memory_bytes = std::min<std::size_t>(d.memory_bytes, total_host_memory());
    d.has_float64 = device.has(sycl::aspect::fp64);
    d.local_bytes = device.get_info<sycl::info::device::local_mem_size>();
    d.group_lanes = int(std::clamp<std::size_t>(device.get_info<sycl::info::device::max_work_group_size>(),
                                                kernels::least_group_lanes, std::size_t(d.group_lanes)));
    found.push_back({device, d});
  }
  return found;
}

/// As chord_sycl.hpp has it for callers.
std::string sycl_runtime() {
#ifdef __ACPP__
  return text("AdaptiveCpp ", ACPP_VERSION_MAJOR, '.', ACPP_VERSION_MINOR);
#else
  return text("DPC++ ", __LIBSYCL_MAJOR_VERSION);
#endif
}

std::string runtime_name() {
#ifdef __ACPP__
  return text("AdaptiveCpp ", ACPP_VERSION_MAJOR, '.', ACPP_VERSION_MINOR, '.', ACPP_VERSION_PATCH);
#else
  return text("DPC++, ", __LIBSYCL_MAJOR_VERSION, '.', __LIBSYCL_MINOR_VERSION);
#endif
}

class SyclBackend final : public Backend {
 public:
  SyclBackend(std::vector<FoundDevice> found, ModuleServices services)
      : found_(std::move(found)), services_(std::move(services)) {}

  std::string name() const override { return sycl_backend_name; }
  std::string description() const override {
    return services_.runtime_folder.empty() ? runtime_name() : text(runtime_name(), " in ", services_.runtime_folder);
  }
  std::vector<DeviceDescription> devices() const override {
    std::vector<DeviceDescription> all;
    for (const FoundDevice& each : found_) all.push_back(each.description);
    return all;
  }
  std::unique_ptr<Queue> open(const DeviceDescription& device) override {
    for (const FoundDevice& each : found_)
      if (each.description.selector == device.selector) return open(each);
    fail(Status::no_such_device, "no SYCL device ", device.selector);
  }
  std::unique_ptr<Queue> adopt(const ForeignQueue& foreign) override {
    if (foreign.runtime != sycl_runtime())
      fail(Status::unsupported, "the queue is of ", foreign.runtime, "; expected ", sycl_runtime());
    const sycl::queue& queue = *static_cast<const sycl::queue*>(foreign.handle);
    if (!queue.is_in_order()) fail(Status::invalid_argument, "the queue is not in order; expected property in_order");
    for (const FoundDevice& each : found_)
      if (each.device == queue.get_device()) return std::make_unique<SyclQueue>(queue, each.description, services_);
    fail(Status::no_such_device, "the queue's device is none of those listed");
  }

 private:
  std::unique_ptr<Queue> open(const FoundDevice& found) {
    try {
      return std::make_unique<SyclQueue>(found.device, found.description, services_);
    } catch (const sycl::exception& error) {
      fail(Status::device_failure, found.description.name, " (", found.description.selector,
           ") cannot be opened: ", error.what());
    }
  }

  std::vector<FoundDevice> found_;
  ModuleServices services_;
};

}  // namespace
}  // namespace chord

extern "C" __attribute__((visibility("default"))) const char* chord_sycl_module_fingerprint() {
  static const std::string fingerprint = chord::module_fingerprint();
  return fingerprint.c_str();
}

extern "C" __attribute__((visibility("default"))) chord::Backend* chord_open_sycl_module(
    const chord::ModuleServices& services, std::string& problem) {
  try {
    return new chord::SyclBackend(chord::find_devices(services), services);
  } catch (const std::exception& error) {
    problem = error.what();
    return nullptr;
  }
}
