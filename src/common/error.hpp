// Errors are exceptions inside the library and statuses at its boundary. Each says what, where and what was expected.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "common/text.hpp"

namespace chord {

/// The values of chord_status in chord.h; capi/status.cpp asserts that they agree.
enum class Status : std::int32_t {
  success = 0,
  invalid_argument = 1,
  invalid_handle = 2,
  invalid_shape = 3,
  invalid_type = 4,
  too_large = 5,
  out_of_memory = 6,
  no_such_device = 7,
  device_failure = 8,
  compilation_failed = 9,
  io_failure = 10,
  forked = 11,
  unsupported = 12,
  context_mismatch = 13,
  internal = 14,
  invalid_file = 15,
  stopped = 16,
};

class Error : public std::runtime_error {
 public:
  Error(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  Status status() const noexcept { return status_; }

 private:
  Status status_;
};

template <class... Parts>
[[noreturn]] void fail(Status status, const Parts&... parts) {
  throw Error(status, text(parts...));
}

}  // namespace chord
