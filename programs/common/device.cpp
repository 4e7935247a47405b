#include "device.hpp"

#include <cstdlib>

namespace program {

chord::Context open_device(const std::string& selector, int precision) {
  const char* const environment = std::getenv("CHORD_DEVICE");
  if (selector != "auto" || (environment && *environment)) return chord::Context(selector);
  // Not a SYCL CPU device, as the library's "auto" would have it: the host's many small launches are cheaper.
  for (const auto& device : chord::devices())
    if (device.kind == CHORD_DEVICE_GPU && (device.has_float64 || precision == 32))
      return chord::Context(device.selector);
  return chord::Context("host");
}

}  // namespace program
