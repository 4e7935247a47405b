// The table of backends: a new one is a line in backends.cpp.
#pragma once

#include <memory>
#include <span>

#include "device/queue.hpp"

namespace chord {

struct BackendEntry {
  const char* name;
  /// Throws where the backend cannot be had here, saying why and what to do; null where nobody has asked for it.
  std::unique_ptr<Backend> (*open)();
};

/// The name of the one that has SYCL devices, whether it is compiled in or not.
const char* sycl_backend();

/// The backends compiled in; their devices are listed in this order.
std::span<const BackendEntry> backend_table();

}  // namespace chord
