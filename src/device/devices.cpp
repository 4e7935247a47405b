#include "device/devices.hpp"

#include <algorithm>
#include <cstdlib>

#include "common/error.hpp"
#include "device/host/host_backend.hpp"
#include "device/sycl/loader.hpp"

namespace chord {
namespace {

Backend& host_backend() {
  static const std::unique_ptr<Backend> backend = make_host_backend();
  return *backend;
}

bool matches(const DeviceDescription& device, const std::string& selector) {
  return selector == device.selector || (selector == "cpu" && device.kind == DeviceKind::cpu) ||
         (selector == "gpu" && device.kind == DeviceKind::gpu) ||
         selector == device.selector.substr(0, device.selector.find(':'));
}

const DeviceDescription* find(const std::string& selector) {
  const auto& all = devices();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& device) { return matches(device, selector); });
  return found == all.end() ? nullptr : &*found;
}

const DeviceDescription& choose(const std::string& selector) {
  if (selector.empty() || selector == "auto") {
    const char* wanted = std::getenv("CHORD_DEVICE");
    if (wanted && *wanted && std::string(wanted) != "auto") return choose(wanted);
    for (const char* preferred : {"gpu", "cpu", "host"})
      if (const DeviceDescription* device = find(preferred)) return *device;
  }
  if (const DeviceDescription* device = find(selector)) return *device;
  std::string known;
  for (const DeviceDescription& device : devices()) known += (known.empty() ? "" : ", ") + device.selector;
  fail(Status::no_such_device, "no device '", selector, "' here; there are: ", known, " (and auto, cpu, gpu)",
       sycl_module().backend ? "" : ". " + sycl_module().detail);
}

}  // namespace

const std::vector<DeviceDescription>& devices() {
  static const std::vector<DeviceDescription> all = [] {
    std::vector<DeviceDescription> found = host_backend().devices();
    if (const auto& sycl = sycl_module().backend)
      for (DeviceDescription& device : sycl->devices()) found.push_back(std::move(device));
    return found;
  }();
  return all;
}

const std::vector<BackendState>& backends() {
  static const std::vector<BackendState> all = [] {
    std::vector<BackendState> found{{host_backend().name(), host_backend().description(), true}};
#ifdef CHORD_WITH_SYCL
    const SyclModule& sycl = sycl_module();
    found.push_back({sycl.backend ? sycl.backend->name() : CHORD_SYCL_BACKEND, sycl.detail, sycl.backend != nullptr});
#endif
    return found;
  }();
  return all;
}

std::unique_ptr<Queue> open_device(const std::string& selector) {
  const DeviceDescription& device = choose(selector);
  return device.kind == DeviceKind::host ? host_backend().open(device) : sycl_module().backend->open(device);
}

}  // namespace chord
