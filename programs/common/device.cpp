#include "device.hpp"

#include <CLI/CLI.hpp>

#include "message.hpp"

namespace program {

chord::Context open_device(const std::string& selector, int precision) {
  try {
    return chord::Context(selector == "auto" && precision == 64 ? "auto:float64" : selector);
  } catch (const chord::Error& error) {
    if (error.status() != CHORD_ERROR_NO_SUCH_DEVICE) throw;
    throw CLI::ValidationError("--device", message_of(error));
  }
}

}  // namespace program
