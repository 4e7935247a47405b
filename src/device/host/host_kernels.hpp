// The host's kernels: the list compiled by the ordinary compiler, once per instruction set.
#pragma once

#include "kernels/grid.hpp"

namespace chord {

using HostKernel = void (*)(Grid grid, const void* const* arguments);

struct HostKernels {
  const char* instruction_set;
  const HostKernel* kernels;  ///< in the order of kernels/entries.hpp
};

/// The best set this processor can run.
const HostKernels& host_kernels();

}  // namespace chord
