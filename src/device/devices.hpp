// The devices of this machine and how they are named.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/queue.hpp"

namespace chord {

/// The host first, then SYCL's.
const std::vector<DeviceDescription>& devices();

struct BackendState {
  std::string name, detail;
  bool available;
};
/// The backends compiled in.
const std::vector<BackendState>& backends();

/// `selector`: auto (or empty: $CHORD_DEVICE, else a GPU, a SYCL CPU, the host, whichever is first), host, cpu, gpu, a
/// SYCL driver (opencl, level_zero, cuda, hip, omp), or a driver and number (opencl:1).
std::unique_ptr<Queue> open_device(const std::string& selector);

}  // namespace chord
