// What the functions of a model expect of the tensors they are given.
#pragma once

#include "common/error.hpp"
#include "operations/copy.hpp"

namespace chord {

/// The tensor itself, or a contiguous copy.
inline Tensor contiguous(const Tensor& tensor) {
  if (tensor.contiguous()) return tensor;
  const Tensor copied = Tensor::create(tensor.storage->shared_context(), tensor.type, tensor.shape);
  copy(tensor, copied);
  return copied;
}

inline void expect(const char* name, const Tensor& tensor, Context& context, DataType type, const Extents& shape) {
  if (&tensor.context() != &context) fail(Status::context_mismatch, name, " belongs to another context than the model");
  if (tensor.type != type) fail(Status::invalid_type, name, " is ", name_of(tensor.type), "; expected ", name_of(type));
  if (!(tensor.shape == shape))
    fail(Status::invalid_shape, name, " has shape ", describe(tensor.shape), "; expected ", describe(shape));
}

/// One that is written to as it is.
inline void expect_output(const char* name, const Tensor& tensor, Context& context, DataType type,
                          const Extents& shape) {
  expect(name, tensor, context, type, shape);
  if (!tensor.contiguous()) fail(Status::invalid_shape, name, " is strided; expected it contiguous");
}

}  // namespace chord
