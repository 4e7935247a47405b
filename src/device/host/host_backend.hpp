// The host backend: ordinary threads and memory. Always there, and the reference the others are tested against.
#pragma once

#include <memory>
#include <vector>

#include "device/host/host_kernels.hpp"
#include "device/queue.hpp"

namespace chord {

std::unique_ptr<Backend> open_host_backend();

struct CompiledHostKernels {
  HostKernels kernels;
  bool supported;  ///< by this processor
};
/// The best first; the last is supported everywhere.
const std::vector<CompiledHostKernels>& compiled_host_kernels();

/// The host with kernels that need not be its best.
std::unique_ptr<Queue> open_host(const HostKernels& kernels);

}  // namespace chord
