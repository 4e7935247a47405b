// Random values, and values into and out of tensors.
#pragma once

#include <chord/chord.hpp>
#include <random>
#include <vector>

#include "reference.hpp"

namespace testing {

using chord::Context;
using chord::Pattern;
using chord::Shape;
using chord::Tensor;
using reference::Values;

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

}  // namespace testing
