// The door between libchord and its SYCL module, a library of its own: libchord has no need of SYCL and works without
// it, and where the module cannot be loaded it can say why.
#pragma once

#include <string>

#include "common/log.hpp"
#include "device/queue.hpp"

namespace chord {

/// What the module needs from the library that loads it.
struct ModuleServices {
  std::string kernel_source;
  std::string cache_directory;
  void (*log)(LogLevel level, const std::string& message) noexcept;
  /// Replaces a file as a whole. Returns why it could not; empty if it did.
  std::string (*write_file)(const std::string& path, const std::string& content) noexcept;
};

/// The module's one symbol. Returns null and sets `problem` where no backend can be had.
using OpenSyclModule = Backend* (*)(const ModuleServices& services, std::string& problem);
inline constexpr const char* open_sycl_module_name = "chord_open_sycl_module";

}  // namespace chord
