// Device binaries on disk: one file per (kernel text, options, device, driver), so that only the first start compiles.
#pragma once

#include <optional>
#include <string>

#include "device/sycl/module.hpp"

namespace chord {

class KernelCache {
 public:
  /// `identity` is everything the binary depends on; files of other identities are never mistaken for this one's.
  KernelCache(const ModuleServices& services, const std::string& identity);

  /// None where there is no file or it is damaged; a damaged one is reported as a warning.
  std::optional<std::string> read() const;

  /// Processes that start together see a whole file or none. A folder that cannot be written is a warning: the kernels
  /// are there, only the next start compiles again.
  void write(const std::string& binary) const;

  /// For a file that is whole but that the device refuses.
  void discard(const std::string& reason) const;

 private:
  const ModuleServices& services_;
  std::string identity_, path_;
};

}  // namespace chord
