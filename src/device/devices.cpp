#include "device/devices.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "common/error.hpp"
#include "device/process.hpp"

namespace chord {
namespace {

bool matches(const DeviceDescription& device, const std::string& selector) {
  return selector == device.selector || (selector == "cpu" && device.kind == DeviceKind::cpu) ||
         (selector == "gpu" && device.kind == DeviceKind::gpu) ||
         selector == device.selector.substr(0, device.selector.find(':'));
}

const DeviceRegistry& registry() {
  // Left to the end of the process: queues of any thread may still use the backends then.
  static const DeviceRegistry& opened = *[] {
    claim_process();
    return new DeviceRegistry(backend_table());
  }();
  return opened;
}

}  // namespace

DeviceRegistry::DeviceRegistry(std::span<const BackendEntry> table) {
  for (const BackendEntry& entry : table) add(entry);
}

void DeviceRegistry::add(const BackendEntry& entry) {
  try {
    std::unique_ptr<Backend> backend = entry.open();
    if (!backend) return;
    for (DeviceDescription& device : backend->devices()) {
      devices_.push_back(std::move(device));
      backend_of_device_.push_back(backend.get());
    }
    opened_.push_back(std::move(backend));
    states_.push_back({entry.name, opened_.back()->description(), true});
  } catch (const std::bad_alloc&) {
    throw;  // the next call may find more memory, and then all devices
  } catch (const std::exception& error) {
    const auto* const known = dynamic_cast<const Error*>(&error);
    if (known && known->status() == Status::out_of_memory) throw;
    states_.push_back({entry.name, error.what(), false});
  }
}

const DeviceDescription& DeviceRegistry::choose(const std::string& selector) const {
  const bool needs_float64 = selector == "auto:float64";
  if (!needs_float64 && !selector.empty() && selector != "auto") return named(selector);
  const char* given = std::getenv("CHORD_DEVICE");
  const std::string wanted = given ? given : "";
  if (wanted.empty() || wanted == "auto") return automatic(needs_float64);
  try {
    return named(wanted);
  } catch (const Error& error) {
    fail(error.status(), "the environment's CHORD_DEVICE: ", error.what());
  }
}

// A SYCL CPU device computes on the host's own cores, and its launches cost more.
const DeviceDescription& DeviceRegistry::automatic(bool needs_float64) const {
  for (const DeviceDescription& device : devices_)
    if (device.kind == DeviceKind::gpu && (device.has_float64 || !needs_float64)) return device;
  return named("host");
}

const DeviceDescription& DeviceRegistry::named(const std::string& selector) const {
  for (const DeviceDescription& device : devices_)
    if (matches(device, selector)) return device;
  std::string there_are, kinds, built_in, problems;
  for (const DeviceDescription& device : devices_) there_are += (there_are.empty() ? "" : ", ") + device.selector;
  // Nothing that would fail just the same.
  for (const char* const kind : {"cpu", "gpu"})
    if (std::any_of(devices_.begin(), devices_.end(), [&](const auto& device) { return matches(device, kind); }))
      kinds += std::string(", ") + kind;
  for (const BackendState& backend : states_) {
    built_in += (built_in.empty() ? "" : ", ") + backend.name;
    if (!backend.available) problems += "; " + backend.name + ": " + backend.detail;
  }
  fail(Status::no_such_device, "no device '", selector, "' here; there are: ", there_are, " (and auto", kinds,
       "), by the backends of this library: ", built_in, problems);
}

std::unique_ptr<Queue> DeviceRegistry::open(const std::string& selector) const {
  const DeviceDescription& device = choose(selector);
  return backend_of_device_[&device - devices_.data()]->open(device);
}

std::unique_ptr<Queue> DeviceRegistry::adopt(const std::string& name, const ForeignQueue& foreign) const {
  for (const auto& backend : opened_)
    if (backend->name() == name) return backend->adopt(foreign);
  for (const BackendState& state : states_)
    if (state.name == name) fail(Status::unsupported, state.detail);
  fail(Status::unsupported, "this library was built without the backend ", name);
}

const std::vector<DeviceDescription>& devices() { return registry().devices(); }
const std::vector<BackendState>& backends() { return registry().backends(); }
std::unique_ptr<Queue> open_device(const std::string& selector) { return registry().open(selector); }
std::unique_ptr<Queue> adopt_queue(const std::string& backend, const ForeignQueue& foreign) {
  return registry().adopt(backend, foreign);
}

}  // namespace chord
