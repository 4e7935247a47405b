// Finds the SYCL module and the SYCL runtime it needs, and opens them.
#pragma once

#include <filesystem>
#include <memory>

#include "device/sycl/module.hpp"

namespace chord {

/// The backend of the module that lies beside this library.
std::unique_ptr<Backend> open_sycl_backend();

/// The backend of the module in this file. The module stays loaded.
std::unique_ptr<Backend> open_sycl_module(const std::filesystem::path& path, const ModuleServices& services);

}  // namespace chord
