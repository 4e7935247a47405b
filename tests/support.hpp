// What the test cases share: the devices to test, random values, comparisons.
#pragma once

#include <doctest/doctest.h>

#include <chord/chord.hpp>
#include <random>
#include <string>
#include <vector>

#include "reference.hpp"

namespace testing {

using chord::Context;
using chord::Pattern;
using chord::Shape;
using chord::Tensor;
using reference::Values;

/// Runs a body once per device of this machine.
template <class Body>
void on_every_device(Body body) {
  for (const auto& device : chord::devices()) {
    CAPTURE(device.selector);
    Context context(device.selector);
    body(context);
  }
}

/// Values that both precisions hold exactly, so that float32 results differ by their own rounding only.
inline Values random_values(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Values values(count);
  for (double& each : values) each = uniform(generator);
  return values;
}

template <class T>
Tensor tensor(Context& context, const Shape& shape, const Values& values) {
  return Tensor::from<T>(context, shape, std::vector<T>(values.begin(), values.end()));
}

template <class T>
Values values_of(const Tensor& tensor) {
  const std::vector<T> values = tensor.to_host<T>();
  return Values(values.begin(), values.end());
}

/// What accumulating onto a first result gives.
inline Values doubled(Values values) {
  for (double& each : values) each *= 2;
  return values;
}

/// The largest difference, relative to the largest value expected (at least one).
inline double difference(const Values& found, const Values& expected) {
  REQUIRE(found.size() == expected.size());
  double largest = 0, scale = 1;
  for (const double each : expected) scale = std::max(scale, std::abs(each));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double each = std::abs(found[i] - expected[i]);
    if (!std::isfinite(each)) return INFINITY;
    largest = std::max(largest, each);
  }
  return largest / scale;
}

/// A call failed with this status and a message that contains this.
inline void expect(chord_status found, chord_status status, const std::string& part) {
  CHECK(std::string(chord_status_name(found)) == chord_status_name(status));
  const std::string message = chord_last_error();
  CHECK_MESSAGE(message.find(part) != std::string::npos, message);
}

template <class T>
constexpr double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-14;

}  // namespace testing
