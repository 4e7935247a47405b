// The SYCL module: devices, queues and memory of whatever SYCL runtime the module was built for.
#include <algorithm>
#include <mutex>
#include <sycl/sycl.hpp>

#include "common/error.hpp"
#include "device/host/host_memory.hpp"
#include "device/sycl/module.hpp"
#include "device/sycl/sycl_kernels.hpp"

namespace chord {
namespace {

std::string backend_name(const sycl::device& device) {
  switch (device.get_backend()) {
#ifdef __ACPP__
    case sycl::backend::omp: return "omp";
    case sycl::backend::cuda: return "cuda";
    case sycl::backend::hip: return "hip";
    case sycl::backend::level_zero: return "level_zero";
    case sycl::backend::ocl: return "opencl";
#else
    case sycl::backend::opencl: return "opencl";
    case sycl::backend::ext_oneapi_level_zero: return "level_zero";
    case sycl::backend::ext_oneapi_cuda: return "cuda";
    case sycl::backend::ext_oneapi_hip: return "hip";
#endif
    default: return "sycl";
  }
}

struct FoundDevice {
  sycl::device device;
  DeviceDescription description;
};

std::vector<FoundDevice> find_devices() {
  std::vector<FoundDevice> found;
  std::vector<std::string> seen;
  for (const sycl::device& device : sycl::device::get_devices()) {
    const std::string backend = backend_name(device);
    DeviceDescription d;
    d.selector = text(backend, ':', std::count(seen.begin(), seen.end(), backend));
    seen.push_back(backend);
    d.name = device.get_info<sycl::info::device::name>();
    d.kind = device.is_cpu() ? DeviceKind::cpu : device.is_gpu() ? DeviceKind::gpu : DeviceKind::other;
    d.way = sycl_way;
    d.memory_bytes = device.get_info<sycl::info::device::global_mem_size>();
    d.units = int(device.get_info<sycl::info::device::max_compute_units>());
    d.host_readable = device.has(sycl::aspect::usm_system_allocations);
    d.has_float64 = device.has(sycl::aspect::fp64);
    found.push_back({device, d});
  }
  return found;
}

/// SYCL reports failures of asynchronous work to a handler, some time; kept here until someone waits.
class AsynchronousErrors {
 public:
  void keep(const sycl::exception_list& errors) {
    const std::lock_guard lock(mutex_);
    for (const std::exception_ptr& error : errors)
      if (!first_) first_ = error;
  }
  std::exception_ptr take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(first_, nullptr);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

class SyclQueue final : public Queue {
 public:
  SyclQueue(const FoundDevice& found, const ModuleServices& services)
      : description_(found.description),
        errors_(std::make_shared<AsynchronousErrors>()),
        queue_(found.device, [errors = errors_](const sycl::exception_list& list) { errors->keep(list); },
               sycl::property_list{sycl::property::queue::in_order()}),
        kernels_(make_sycl_kernels(queue_.get_context(), found.device, description_, services)) {}

  const DeviceDescription& device() const override { return description_; }

  void* allocate(std::size_t bytes) override {
    if (description_.host_readable) return allocate_host(bytes);
    void* memory = sycl::malloc_device(bytes, queue_);
    if (!memory)
      fail(Status::out_of_memory, "out of device memory: ", bytes, " bytes asked for on ", description_.name, ", which has ",
           description_.memory_bytes);
    return memory;
  }

  void release(void* memory) noexcept override {
    if (description_.host_readable) return release_host(memory);
    try {
      sycl::free(memory, queue_);
    } catch (...) {
      // A failing free leaves nothing to do.
    }
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    guarded([&] { queue_.memcpy(to, from, bytes); });
  }

  void run(int kernel, Grid grid, const void* const* arguments) override {
    guarded([&] { kernels_->run(queue_, kernel, grid, arguments); });
  }

  void wait() override {
    guarded([&] { queue_.wait_and_throw(); });
    if (const std::exception_ptr error = errors_->take())
      guarded([&] { std::rethrow_exception(error); });
  }

  sycl::queue& native() { return queue_; }

 private:
  template <class Action>
  void guarded(Action action) {
    try {
      action();
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      fail(Status::device_failure, description_.name, " (", description_.selector, ") failed: ", error.what());
    }
  }

  DeviceDescription description_;
  std::shared_ptr<AsynchronousErrors> errors_;
  sycl::queue queue_;
  std::shared_ptr<SyclKernels> kernels_;
};

class SyclBackend final : public Backend {
 public:
  SyclBackend(std::vector<FoundDevice> found, ModuleServices services)
      : found_(std::move(found)), services_(std::move(services)) {}

  std::string way() const override { return sycl_way; }
  std::string description() const override {
#ifdef __ACPP__
    return text("AdaptiveCpp ", ACPP_VERSION_MAJOR, '.', ACPP_VERSION_MINOR, '.', ACPP_VERSION_PATCH);
#else
    return text("DPC++, ", __LIBSYCL_MAJOR_VERSION, '.', __LIBSYCL_MINOR_VERSION);
#endif
  }
  std::vector<DeviceDescription> devices() const override {
    std::vector<DeviceDescription> all;
    for (const FoundDevice& each : found_) all.push_back(each.description);
    return all;
  }
  std::unique_ptr<Queue> open(const DeviceDescription& device) override {
    for (const FoundDevice& each : found_)
      if (each.description.selector == device.selector) return std::make_unique<SyclQueue>(each, services_);
    fail(Status::no_such_device, "no SYCL device ", device.selector);
  }

 private:
  std::vector<FoundDevice> found_;
  ModuleServices services_;
};

}  // namespace
}  // namespace chord

extern "C" __attribute__((visibility("default"))) chord::Backend* chord_open_sycl_module(
    const chord::ModuleServices& services, std::string& problem) {
  try {
    return new chord::SyclBackend(chord::find_devices(), services);
  } catch (const std::exception& error) {
    problem = error.what();
    return nullptr;
  }
}
