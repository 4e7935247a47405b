// Losses per sequence, and their gradients with respect to the model's outputs.
#pragma once

#include "gelu.hpp"
#include "indices.hpp"

namespace chord::CHORD_KERNELS {

/// For losses of outputs[row, :]. A CPU's thread takes a row. A GPU's has one output of it, its neighbours beside it,
/// and sums over the row as they do: outputs are few, and requests whole sectors.
using OneOutput = Tile<1, 1>;
template <class Shape>
inline constexpr bool one_output = false;
template <>
inline constexpr bool one_output<OneOutput> = true;

struct ByOutputs {
  using types = Reals;
  template <class T>
  using cpu = Scalar;
  template <class T>
  using gpu = OneOutput;

  template <class Shape>
  static Grid grid_of(std::int64_t rows, std::int64_t classes) {
    return {1, std::size_t(rows), std::size_t(one_output<Shape> ? classes : 1)};
  }
  /// The outputs whose gradient is a point's own.
  template <class Shape>
  CHORD_INLINE static Range own(std::size_t lane, std::int64_t classes) {
    if constexpr (one_output<Shape>) return {lane, lane + 1};
    return {0, std::size_t(classes)};
  }
};

/// Cross-entropy of outputs[row, :] and a class. The loss is log(sums[row]) + gaps[row], which leaves the only
/// logarithm to the host; correct[row] = 1 where the class is the (first) largest output; gradient = (softmax −
/// one-hot) · scale.
struct cross_entropy : ByOutputs {
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
    return grid_of<Shape>(a.rows, a.classes);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double outputs = double(a.rows * a.classes);
    return {20 * outputs, (2 * outputs + 4 * double(a.rows)) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t lane, const Arguments<T>& a) {
    const std::int64_t classes = a.classes, label = clamped(a.labels[row], classes);
    const T* y = a.outputs + row * classes;
    std::int64_t largest = 0;
    for (std::int64_t c = 1; c < classes; ++c)
      if (y[c] > y[largest]) largest = c;
    const T top = y[largest];
    const auto power = [&](std::int64_t c) { return exponential<T, 1>(vector<T, 1>{} + (y[c] - top))[0]; };
    T* g = a.gradient + row * classes;
    T sum = T(0);
    for (std::int64_t c = 0; c < classes; ++c) {
      const T each = power(c);
      if constexpr (!one_output<Shape>) g[c] = each;
      sum += each;
    }
    const Range mine = own<Shape>(lane, classes);
    for (auto c = std::int64_t(mine.first); c < std::int64_t(mine.last); ++c)
      g[c] = ((one_output<Shape> ? power(c) : g[c]) / sum - (c == label ? T(1) : T(0))) * a.scale;
    const T gap = top - y[label];
    if (lane > 0) return;
    a.sums[row] = sum;
    a.gaps[row] = gap;
    a.correct[row] = largest == label ? T(1) : T(0);
  }
};

/// Squared error of outputs[row, :], averaged over the columns, against a real that all of them should have.
/// correct[row] = 1 where every output is within the tolerance.
struct squared_error : ByOutputs {
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
    return grid_of<Shape>(a.rows, a.classes);
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const double outputs = double(a.rows * a.classes);
    return {5 * outputs, (2 * outputs + 3 * double(a.rows)) * sizeof(T)};
  }

  template <class T, class Shape>
  static void run(std::size_t, std::size_t row, std::size_t lane, const Arguments<T>& a) {
    const T* y = a.outputs + row * a.classes;
    const T label = a.labels[row];
    const Range mine = own<Shape>(lane, a.classes);
    for (std::size_t c = mine.first; c < mine.last; ++c)
      a.gradient[row * a.classes + c] = (y[c] - label) * a.scale * T(2) / T(a.classes);
    T sum = T(0);
    bool right = true;
    for (std::int64_t c = 0; c < a.classes; ++c) {
      const T difference = y[c] - label;
      sum += difference * difference;
      right = right && difference < a.tolerance && -difference < a.tolerance;
    }
    if (lane > 0) return;
    a.losses[row] = sum / T(a.classes);
    a.correct[row] = right ? T(1) : T(0);
  }
};

}  // namespace chord::CHORD_KERNELS
