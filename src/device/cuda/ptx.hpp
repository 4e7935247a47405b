// The kernels as PTX, which the driver compiles for the GPU at hand. Made by Clang when the library is built
// (cmake/CudaKernels.cmake).
#pragma once

namespace chord::cuda {

/// Null where the library was built without a Clang that can make it.
extern const char* const kernels_ptx;

}  // namespace chord::cuda
