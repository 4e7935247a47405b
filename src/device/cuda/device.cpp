#include "device/cuda/device.hpp"

#include <algorithm>
#include <map>

#include "common/error.hpp"
#include "device/cuda/ptx.hpp"
#include "device/entry_table.hpp"

namespace chord::cuda {
namespace {

constexpr unsigned items_of_a_block = 256, warp = 32;

int attribute(Device device, int which) {
  int value = 0;
  driver().cuDeviceGetAttribute(&value, which, device);
  return value;
}

int capability_of(Device device) {
  return attribute(device, compute_capability_major) * 10 + attribute(device, compute_capability_minor);
}

std::string name_of(Device device) {
  char name[256] = "NVIDIA GPU";
  driver().cuDeviceGetName(name, sizeof name, device);
  return name;
}

/// After these the driver answers every call with the same error until the process ends.
bool lasts(Result error) {
  constexpr Result uncorrectable_memory_error = 214, first = 700, not_lasting = launch_out_of_resources, last = 721;
  return error == uncorrectable_memory_error || error == unknown_error ||
         (error >= first && error <= last && error != not_lasting);
}

}  // namespace

std::vector<Found> find_gpus() {
  std::vector<Found> found;
  int count = 0;
  driver().cuDeviceGetCount(&count);
  for (int number = 0; number < count; ++number) {
    Device device = 0;
    if (driver().cuDeviceGet(&device, number) != success) continue;
    DeviceDescription gpu;
    gpu.selector = text("cuda:", number);
    gpu.name = name_of(device);
    gpu.kind = DeviceKind::gpu;
    gpu.backend = "cuda";
    driver().cuDeviceTotalMem_v2(&gpu.memory_bytes, device);
    gpu.units = attribute(device, multiprocessors);
    // Even where the driver lets the host touch device memory: it would be slow, and tensors belong to the GPU.
    gpu.host_readable = false;
    gpu.local_bytes = std::size_t(attribute(device, shared_bytes_per_block));
    found.push_back({gpu, capability_of(device)});
  }
  return found;
}

Gpu& Gpu::get(int number) {
  static std::mutex& mutex = *new std::mutex;
  static auto& gpus = *new std::map<int, std::unique_ptr<Gpu>>;
  const std::lock_guard lock(mutex);
  auto& gpu = gpus[number];
  if (!gpu) gpu.reset(new Gpu(number));
  return *gpu;
}

Gpu::Gpu(int number) : number_(number) {
  if (driver().cuDeviceGet(&device_, number) != success)
    fail(Status::no_such_device, "the NVIDIA driver has no device ", number);
  name_ = name_of(device_);
  check(driver().cuDevicePrimaryCtxRetain(&context_, device_), "opening the device");
  try {
    const Current current(*this);
    load_kernels();
  } catch (...) {
    driver().cuDevicePrimaryCtxRelease_v2(device_);
    throw;
  }
}

Gpu::Current::Current(Gpu& gpu) { gpu.check(driver().cuCtxPushCurrent_v2(gpu.context_), "entering its context"); }

Gpu::Current::~Current() {
  DriverContext* popped = nullptr;
  driver().cuCtxPopCurrent_v2(&popped);
}

void Gpu::check(Result result, const char* doing) {
  if (result == success) return;
  const std::string which = text(name_, " (cuda:", number_, ")");
  if (result == out_of_memory) {
    std::size_t free = 0, total = 0;
    driver().cuMemGetInfo_v2(&free, &total);
    fail(Status::out_of_memory, "out of device memory: ", doing, " on ", which, ", which has ", free, " of ", total,
         " bytes left");
  }
  const std::lock_guard lock(poison_mutex_);
  if (!poison_.empty()) fail(Status::device_failure, poison_);
  const std::string message = text(which, " failed: ", doing, ": ", describe(result));
  if (lasts(result))
    poison_ = text(which, " cannot be used by this process any more, since an earlier failure: ", doing, ": ",
                   describe(result));
  fail(Status::device_failure, message);
}

void Gpu::load_kernels() {
  char problems[4096] = "";
  int options[] = {jit_error_log, jit_error_log_bytes};
  void* values[] = {problems, reinterpret_cast<void*>(sizeof problems)};
  const Result result = driver().cuModuleLoadDataEx(&module_, kernels_ptx, 2, options, values);
  if (result != success)
    fail(result == out_of_memory ? Status::out_of_memory : Status::compilation_failed, "the NVIDIA driver (CUDA ",
         version_text(driver().version), ") does not take our kernels for ", name_, ", sm_", capability_of(device_),
         ": ", describe(result), *problems ? "\n" : "", problems);
  kernels_.resize(entry_table().size());
  for (std::size_t entry = 0; entry < kernels_.size(); ++entry) {
    const EntryDescription& description = entry_table()[entry];
    if (description.devices == kernels::Devices::cpu) continue;
    Kernel& kernel = kernels_[entry];
    check(driver().cuModuleGetFunction(&kernel.function, module_, description.name.c_str()), description.name.c_str());
    int largest = int(items_of_a_block);
    driver().cuFuncGetAttribute(&largest, function_max_threads, kernel.function);
    kernel.items = std::min(items_of_a_block, unsigned(largest) / warp * warp);
    if (description.group)
      check(driver().cuFuncSetAttribute(kernel.function, function_shared_bytes,
                                        attribute(device_, shared_bytes_per_block)),
            description.name.c_str());
  }
}

const Gpu::Kernel& Gpu::kernel(int entry) const {
  const Kernel& kernel = kernels_[entry];
  if (!kernel.function) fail(Status::internal, "kernel ", entry_table()[entry].name, " is not built for ", name_);
  return kernel;
}

}  // namespace chord::cuda
