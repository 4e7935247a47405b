#include "device.hpp"

namespace program {

chord::Context open_device(const std::string& selector, int precision) {
  return chord::Context(selector == "auto" && precision == 64 ? "auto:float64" : selector);
}

}  // namespace program
