// Moving values between tensors and to and from the host.
#pragma once

#include "device/tensor.hpp"

namespace chord {

/// to = from, same type and shape, any strides. Asynchronous.
void copy(const Tensor& from, const Tensor& to);

/// Every element = value, rounded to the tensor's type. Asynchronous.
void fill(const Tensor& tensor, double value);

/// Contiguous host memory in and out; done on return.
void copy_from_host(const void* host, const Tensor& to);
void copy_to_host(const Tensor& from, void* host);

}  // namespace chord
