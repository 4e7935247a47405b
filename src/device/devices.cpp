#include "device/devices.hpp"

#include <algorithm>
#include <cstdlib>

#include "common/error.hpp"
#include "device/host/host_backend.hpp"
#include "device/pretend/pretend_backend.hpp"
#include "device/sycl/loader.hpp"

namespace chord {
namespace {

Backend& host_backend() {
  static const std::unique_ptr<Backend> backend = make_host_backend();
  return *backend;
}

/// Null outside of tests.
Backend* pretend_backend() {
#ifdef CHORD_PRETEND_GPU
  static const std::unique_ptr<Backend> backend = make_pretend_backend();
  return backend.get();
#else
  return nullptr;
#endif
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
    if (const Backend* pretend = pretend_backend())
      for (DeviceDescription& device : pretend->devices()) found.push_back(std::move(device));
    return found;
  }();
  return all;
}

const std::vector<Way>& ways() {
  static const std::vector<Way> all = [] {
    std::vector<Way> found{{host_backend().way(), host_backend().description(), true}};
#ifdef CHORD_WITH_SYCL
    const SyclModule& sycl = sycl_module();
    found.push_back({sycl.backend ? sycl.backend->way() : CHORD_SYCL_WAY, sycl.detail, sycl.backend != nullptr});
#endif
    if (const Backend* pretend = pretend_backend()) found.push_back({pretend->way(), pretend->description(), true});
    return found;
  }();
  return all;
}

std::unique_ptr<Queue> open_device(const std::string& selector) {
  const DeviceDescription& device = choose(selector);
  if (device.kind == DeviceKind::host) return host_backend().open(device);
  if (pretend_backend() && device.way == pretend_backend()->way()) return pretend_backend()->open(device);
  return sycl_module().backend->open(device);
}

}  // namespace chord
