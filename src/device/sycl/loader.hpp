// Finds the SYCL module and the SYCL runtime it needs, and opens them.
#pragma once

#include <memory>
#include <string>

#include "device/queue.hpp"

namespace chord {

struct SyclModule {
  std::shared_ptr<Backend> backend;  ///< null where SYCL cannot be had,
  std::string detail;                ///< and why, with what to do about it; otherwise which runtime it is
};

/// Loads at the first call; later ones return the same.
const SyclModule& sycl_module();

/// Where compiled kernels are kept: $CHORD_CACHE_DIR, else sparsechord/kernels in the user's cache folder; empty
/// where there is none, and kernels are then compiled at every start.
std::string cache_directory();

}  // namespace chord
