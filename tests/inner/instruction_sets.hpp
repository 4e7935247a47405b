// The kernels of every instruction set that was compiled for the host, on the processors that have it.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "device/context.hpp"
#include "device/host/host_backend.hpp"

namespace testing {

/// Runs a body once per set, with a context of the host that uses its kernels.
template <class Body>
void on_every_instruction_set(Body body) {
  for (const auto& [kernels, supported] : chord::compiled_host_kernels()) {
    const std::string set = kernels.instruction_set;
    CAPTURE(set);
    if (supported)
      body(std::make_shared<chord::Context>(chord::open_host(kernels)));
    else
      MESSAGE("skipped: this processor has no " << set);
  }
}

}  // namespace testing
