// How operations read tensors: batches of row-major matrices of one type in one context.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "common/error.hpp"
#include "operations/pattern.hpp"
#include "operations/tensor.hpp"

namespace chord {

using kernels::View;

/// What a tensor is as a batch of matrices: [sequences, rows, columns] or, without a batch, [rows, columns].
struct BatchShape {
  std::int64_t sequences, rows, columns;
  bool operator==(const BatchShape&) const = default;
};

/// Throws where a tensor, called `name`, is no batch of matrices. `leading` dimensions come before them (a chain's
/// factors) and are left to the caller.
BatchShape batch_shape(const char* name, const Tensor& tensor, int leading = 0);

/// The same as a view; its factors are the leading dimension.
template <class T>
View<T> view_of(const Tensor& tensor, int leading = 0) {
  const int rank = tensor.rank();
  return {tensor.data<std::remove_const_t<T>>(), leading ? tensor.strides[0] : 0,
          rank - leading == 3 ? tensor.strides[leading] : 0, tensor.strides[rank - 2]};
}

/// A tensor and what the caller calls it; the tensor may be null.
using NamedTensor = std::pair<const char*, const Tensor*>;

/// All that are there float32 or all float64 on the context of the pattern; returns which.
DataType common_type(const Pattern& pattern, std::initializer_list<NamedTensor> tensors);

/// Throws unless the tensor called `name` has the shape expected.
void expect_shape(const char* name, const BatchShape& found, const BatchShape& expected);

/// Throws where an output shares memory with an input, or with itself.
void expect_apart(const char* name, const Tensor& output, std::initializer_list<NamedTensor> inputs);

/// Runs action with a zero of the C++ type: with_type(type, [](auto zero) { using T = decltype(zero); … }).
template <class Action>
void with_type(DataType type, Action action) {
  if (type == DataType::float32)
    action(float());
  else
    action(double());
}

}  // namespace chord
