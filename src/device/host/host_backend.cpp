#include "device/host/host_backend.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "common/error.hpp"
#include "common/memory.hpp"
#include "device/host/host_kernels.hpp"
#include "device/host/host_memory.hpp"
#include "device/host/threads.hpp"

namespace chord {

// Which of these were compiled, CHORD_HOST_… says.
namespace kernels_v4 {
extern const HostKernel* const host_table;
}
namespace kernels_v3 {
extern const HostKernel* const host_table;
}
namespace kernels_baseline {
extern const HostKernel* const host_table;
}

const std::vector<CompiledHostKernels>& compiled_host_kernels() {
  static const std::vector<CompiledHostKernels> all = {
#if CHORD_HOST_V4
      {{"AVX-512", kernels_v4::host_table},
       __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")},
#endif
#if CHORD_HOST_V3
      {{"AVX2", kernels_v3::host_table},
       __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")},
#endif
#if CHORD_HOST_BASELINE
      {{"baseline", kernels_baseline::host_table}, true},
#endif
  };
  return all;
}

const HostKernels& host_kernels() {
  static const HostKernels& best = []() -> const HostKernels& {
    const auto& all = compiled_host_kernels();
    const auto found = std::find_if(all.begin(), all.end(), [](const auto& each) { return each.supported; });
    if (found == all.end())
      fail(Status::unsupported, "the library was built for the instruction set of another processor alone");
    return found->kernels;
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
  HostQueue(DeviceDescription device, const HostKernels& kernels) : device_(std::move(device)), kernels_(kernels) {}

  const DeviceDescription& device() const override { return device_; }
  void* allocate(std::size_t bytes) override { return allocate_host(bytes); }
  void release(void* memory) noexcept override { release_host(memory); }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void upload(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
  void run(int kernel, Grid grid, const void* const* arguments) override { kernels_.kernels[kernel](grid, arguments); }
  void wait() override {}  // work is done when run() returns

 private:
  DeviceDescription device_;
  HostKernels kernels_;
};

DeviceDescription describe_host() {
  DeviceDescription host;
  host.selector = "host";
  host.name = processor_name();
  host.kind = DeviceKind::host;
  host.backend = "host";
  host.memory_bytes = total_host_memory();
  host.units = host_threads();
  return host;
}

class HostBackend final : public Backend {
 public:
  std::string name() const override { return "host"; }
  std::string description() const override {
    return text(host_threads(), " threads, ", host_kernels().instruction_set);
  }
  std::vector<DeviceDescription> devices() const override { return {describe_host()}; }
  std::unique_ptr<Queue> open(const DeviceDescription& device) override {
    return std::make_unique<HostQueue>(device, host_kernels());
  }
};

}  // namespace

std::unique_ptr<Backend> open_host_backend() { return std::make_unique<HostBackend>(); }

std::unique_ptr<Queue> open_host(const HostKernels& kernels) {
  return std::make_unique<HostQueue>(describe_host(), kernels);
}

}  // namespace chord
