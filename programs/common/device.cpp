#include "device.hpp"

#include "message.hpp"
#include "misuse.hpp"

namespace program {

chord::Context open_device(const std::string& selector, int precision) {
  try {
    return chord::Context(selector == "auto" && precision == 64 ? "auto:float64" : selector);
  } catch (const chord::Error& error) {
    if (error.status() != CHORD_ERROR_NO_SUCH_DEVICE) throw;
    throw Misuse("--device", message_of(error));
  }
}

std::string arithmetic_of(const chord::DeviceInfo& device) {
  std::string text = device.name;
  for (const auto& backend : chord::backends())
    if (std::string(backend.name) == device.backend && device.kind == CHORD_DEVICE_HOST)
      text += std::string(backend.detail).substr(std::string(backend.detail).find(", "));
  return text;
}

}  // namespace program
