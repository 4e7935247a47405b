// Compiled in where the library is built without kernels for NVIDIA GPUs.
#include "device/cuda/ptx.hpp"

namespace chord::cuda {

const char* const kernels_ptx = nullptr;

}  // namespace chord::cuda
