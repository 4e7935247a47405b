// Losses per sequence, and their gradients with respect to the model's outputs.
#pragma once

#include "gelu.hpp"
#include "vector.hpp"

namespace chord::CHORD_KERNELS {

/// Kernel: cross-entropy of outputs[row, :] and a class. The loss is log(sums[row]) + gaps[row], which leaves the only
/// logarithm to the host; correct[row] = 1 where the class is the (first) largest output; gradient = (softmax −
/// one-hot) · scale.
template <class T>
inline void cross_entropy(std::size_t, std::size_t row, std::size_t, const T* outputs, std::int64_t classes,
                          const std::int32_t* labels, T scale, T* sums, T* gaps, T* correct, T* gradient) {
  const T* y = outputs + row * classes;
  T* g = gradient + row * classes;
  const std::int64_t label = labels[row];
  std::int64_t largest = 0;
  for (std::int64_t c = 1; c < classes; ++c)
    if (y[c] > y[largest]) largest = c;
  const T top = y[largest];
  T sum = T(0);
  for (std::int64_t c = 0; c < classes; ++c) {
    const vector<T, 1> difference = vector<T, 1>{} + (y[c] - top);
    g[c] = exponential<T, 1>(difference)[0];
    sum += g[c];
  }
  for (std::int64_t c = 0; c < classes; ++c) g[c] = (g[c] / sum - (c == label ? T(1) : T(0))) * scale;
  sums[row] = sum;
  gaps[row] = top - y[label];
  correct[row] = largest == label ? T(1) : T(0);
}

/// Kernel: squared error of outputs[row, :], averaged over the columns, against a real that all of them should have.
/// The loss is gaps[row]; correct[row] = 1 where every output is within the tolerance.
template <class T>
inline void squared_error(std::size_t, std::size_t row, std::size_t, const T* outputs, std::int64_t classes,
                          const T* labels, T tolerance, T scale, T* gaps, T* correct, T* gradient) {
  T sum = T(0);
  bool right = true;
  for (std::int64_t c = 0; c < classes; ++c) {
    const T difference = outputs[row * classes + c] - labels[row];
    sum += difference * difference;
    right = right && difference < tolerance && -difference < tolerance;
    gradient[row * classes + c] = difference * scale * T(2) / T(classes);
  }
  gaps[row] = sum / T(classes);
  correct[row] = right ? T(1) : T(0);
}

}  // namespace chord::CHORD_KERNELS
