// The kernels as one text for a SYCL compiler that runs on the user's machine.
#pragma once

#include <string>

namespace chord {

/// The kernel headers, then the entry points (device/entry_source.hpp).
std::string kernel_source();

}  // namespace chord
