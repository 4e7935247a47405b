// The devices of this machine and how they are named.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/backends.hpp"

namespace chord {

struct BackendState {
  std::string name;
  std::string detail;  ///< what it runs on; where it is not available, why and what to do about it
  bool available;
};

/// What the backends of a table found. One that fails costs its own devices only.
class DeviceRegistry {
 public:
  explicit DeviceRegistry(std::span<const BackendEntry> table);

  const std::vector<DeviceDescription>& devices() const { return devices_; }
  const std::vector<BackendState>& backends() const { return states_; }

  /// The device a selector of chord_context_create means; throws Status::no_such_device, naming those there are.
  const DeviceDescription& choose(const std::string& selector) const;
  std::unique_ptr<Queue> open(const std::string& selector) const;
  /// Throws Status::unsupported where the backend is not there, saying why.
  std::unique_ptr<Queue> adopt(const std::string& backend, const ForeignQueue& foreign) const;

 private:
  void add(const BackendEntry& entry);
  const DeviceDescription& automatic(bool needs_float64) const;
  const DeviceDescription& named(const std::string& selector) const;

  std::vector<DeviceDescription> devices_;
  std::vector<Backend*> backend_of_device_;
  std::vector<std::unique_ptr<Backend>> opened_;
  std::vector<BackendState> states_;
};

/// Devices and backends of this process. The first call of any of these opens the backends compiled in.
const std::vector<DeviceDescription>& devices();
const std::vector<BackendState>& backends();
std::unique_ptr<Queue> open_device(const std::string& selector);
std::unique_ptr<Queue> adopt_queue(const std::string& backend, const ForeignQueue& foreign);

}  // namespace chord
