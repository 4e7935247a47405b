// A pretend GPU for tests: the host, behaving as a GPU does at its worst. Its memory is none of the host's, its kernels
// are those of GPUs, and nothing is done before somebody waits for it.
#pragma once

#include <memory>

#include "device/queue.hpp"

namespace chord {

/// With one device, pretend:0; null unless the environment says CHORD_PRETEND_GPU=1.
std::unique_ptr<Backend> open_pretend_backend();

}  // namespace chord
