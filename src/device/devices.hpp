// The devices of this machine and how they are named.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/queue.hpp"

namespace chord {

/// The host first, then SYCL's; last a pretend GPU where tests ask for it.
const std::vector<DeviceDescription>& devices();

struct Way {
  std::string name, detail;
  bool available;
};
/// The ways of running kernels compiled in.
const std::vector<Way>& ways();

/// `selector`: auto (or empty: $CHORD_DEVICE, else a GPU, a SYCL CPU, the host, whichever is first), host, cpu, gpu, a
/// SYCL backend (opencl, level_zero, cuda, hip, omp), or a backend and number (opencl:1).
std::unique_ptr<Queue> open_device(const std::string& selector);

}  // namespace chord
