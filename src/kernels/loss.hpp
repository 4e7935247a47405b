// Losses per sequence, and their gradients with respect to the model's outputs.
#pragma once

#include "gelu.hpp"
#include "indices.hpp"

namespace chord::CHORD_KERNELS {

/// Cross-entropy of outputs[row, :] and a class. The loss is log(sums[row]) + gaps[row], which leaves the only
/// logarithm to the host; correct[row] = 1 where the class is the (first) largest output; gradient = (softmax −
/// one-hot) · scale.
struct cross_entropy : Everywhere {
  template <class T>
  struct Arguments {
    const T* outputs;
    const std::int32_t* labels;
    T *sums, *gaps, *correct;
    T* gradient;
    std::int64_t rows, classes;
    T scale;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.rows)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double outputs = double(a.rows * a.classes);
    return {20 * outputs, (2 * outputs + 4 * double(a.rows)) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t, const Arguments<T>& a) {
    const std::int64_t classes = a.classes, label = clamped(a.labels[row], classes);
    const T* y = a.outputs + row * classes;
    T* g = a.gradient + row * classes;
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
    for (std::int64_t c = 0; c < classes; ++c) g[c] = (g[c] / sum - (c == label ? T(1) : T(0))) * a.scale;
    a.sums[row] = sum;
    a.gaps[row] = top - y[label];
    a.correct[row] = largest == label ? T(1) : T(0);
  }
};

/// Squared error of outputs[row, :], averaged over the columns, against a real that all of them should have.
/// correct[row] = 1 where every output is within the tolerance.
struct squared_error : Everywhere {
  template <class T>
  struct Arguments {
    const T *outputs, *labels;
    T *losses, *correct;
    T* gradient;
    std::int64_t rows, classes;
    T tolerance, scale;
  };

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {1, std::size_t(a.rows)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double outputs = double(a.rows * a.classes);
    return {5 * outputs, (2 * outputs + 3 * double(a.rows)) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t, const Arguments<T>& a) {
    T sum = T(0);
    bool right = true;
    for (std::int64_t c = 0; c < a.classes; ++c) {
      const T difference = a.outputs[row * a.classes + c] - a.labels[row];
      sum += difference * difference;
      right = right && difference < a.tolerance && -difference < a.tolerance;
      a.gradient[row * a.classes + c] = difference * a.scale * T(2) / T(a.classes);
    }
    a.losses[row] = sum / T(a.classes);
    a.correct[row] = right ? T(1) : T(0);
  }
};

}  // namespace chord::CHORD_KERNELS
