// What the test cases share: the devices to test, values, comparisons.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "difference.hpp"
#include "values.hpp"

namespace testing {

/// Runs a body once per device of this machine.
template <class Body>
void on_every_device(Body body) {
  for (const auto& device : chord::devices()) {
    CAPTURE(device.selector);
    Context context(device.selector);
    body(context);
  }
}

inline bool is_host(const Context& context) { return context.device().selector == std::string("host"); }

/// The same for devices other than the host, which they are compared with.
template <class Body>
void on_every_other_device(Body body) {
  on_every_device([&](Context& context) {
    if (!is_host(context)) body(context);
  });
}

/// What accumulating onto a first result gives.
inline Values doubled(Values values) {
  for (double& each : values) each *= 2;
  return values;
}

/// A call failed with this status and a message that contains this.
inline void expect(chord_status found, chord_status status, const std::string& part) {
  CHECK(std::string(chord_status_name(found)) == chord_status_name(status));
  const std::string message = chord_last_error();
  CHECK_MESSAGE(message.find(part) != std::string::npos, message);
}

template <class T>
constexpr double tolerance = sizeof(T) == 4 ? 5e-6 : 1e-14;

}  // namespace testing
