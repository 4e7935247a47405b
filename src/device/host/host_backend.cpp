#include "device/host/host_backend.hpp"

#include <cstring>
#include <fstream>

#include "common/error.hpp"
#include "common/memory.hpp"
#include "device/host/host_kernels.hpp"
#include "device/host/host_memory.hpp"
#include "device/host/threads.hpp"

namespace chord {

#ifdef CHORD_HOST_X86
namespace kernels_v4 {
extern const HostKernel* const host_table;
}
namespace kernels_v3 {
extern const HostKernel* const host_table;
}
#endif
namespace kernels_baseline {
extern const HostKernel* const host_table;
}

const HostKernels& host_kernels() {
  static const HostKernels best = [] {
#ifdef CHORD_HOST_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      return HostKernels{"AVX-512", kernels_v4::host_table};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
      return HostKernels{"AVX2", kernels_v3::host_table};
#endif
    return HostKernels{"baseline", kernels_baseline::host_table};
  }();
  return best;
}

namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "processor";
}

class HostQueue final : public Queue {
 public:
  explicit HostQueue(DeviceDescription device) : device_(std::move(device)) {}

  const DeviceDescription& device() const override { return device_; }
  void* allocate(std::size_t bytes) override { return allocate_host(bytes); }
  void release(void* memory) noexcept override { release_host(memory); }
  void copy(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void run(int kernel, Grid grid, const void* const* arguments) override {
    host_kernels().kernels[kernel](grid, arguments);
  }
  void wait() override {}  // work is done when run() returns

 private:
  DeviceDescription device_;
};

class HostBackend final : public Backend {
 public:
  std::string name() const override { return "host"; }
  std::string description() const override {
    return text(host_threads(), " threads, ", host_kernels().instruction_set);
  }
  std::vector<DeviceDescription> devices() const override {
    DeviceDescription host;
    host.selector = "host";
    host.name = processor_name();
    host.kind = DeviceKind::host;
    host.backend = name();
    host.memory_bytes = total_host_memory();
    host.units = host_threads();
    return {host};
  }
  std::unique_ptr<Queue> open(const DeviceDescription& device) override { return std::make_unique<HostQueue>(device); }
};

}  // namespace

std::unique_ptr<Backend> open_host_backend() { return std::make_unique<HostBackend>(); }

}  // namespace chord
