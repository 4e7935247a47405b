// The CUDA driver, opened at run time: libcuda.so.1, which comes with NVIDIA's display driver.
#pragma once

#include <string>

#include "device/cuda/driver_api.hpp"

namespace chord::cuda {

/// Its functions, by name: driver().cuMemAlloc_v2(…).
struct Driver {
#define CHORD_CUDA_MEMBER(name, ...) Result (*name)(__VA_ARGS__) = nullptr;
  CHORD_CUDA_FUNCTIONS(CHORD_CUDA_MEMBER)
#undef CHORD_CUDA_MEMBER
  int version = 0;  ///< the CUDA it supports: 11040 is 11.4
};

/// Opens and initialises it at the first call; throws Status::unsupported where that cannot be done, saying why.
const Driver& driver();

/// The driver's own name and sentence for an error.
std::string describe(Result error);

/// 12040 as 12.4.
std::string version_text(int version);

}  // namespace chord::cuda
