// The host backend: ordinary threads and memory. Always there, and the reference the others are tested against.
#pragma once

#include <memory>

#include "device/queue.hpp"

namespace chord {

std::unique_ptr<Backend> open_host_backend();

}  // namespace chord
