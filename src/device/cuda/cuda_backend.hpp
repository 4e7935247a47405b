// NVIDIA GPUs by the CUDA driver alone: kernels that were compiled to PTX with the library, and libcuda.so.1.
#pragma once

#include <memory>

#include "device/queue.hpp"

namespace chord {

/// Throws Status::unsupported where there is no driver, no GPU, or no kernels were compiled in, saying which.
std::unique_ptr<Backend> open_cuda_backend();

}  // namespace chord
