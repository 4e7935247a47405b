// Moving values between tensors and to and from the host.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "operations/tensor.hpp"

namespace chord {

/// to = from, same type and shape, any strides. Asynchronous.
void copy(const Tensor& from, const Tensor& to);

/// Every element = value, rounded to the tensor's type. Asynchronous.
void fill(const Tensor& tensor, double value);

/// From contiguous host memory, which is the caller's again on return. Asynchronous where the device can do that.
void copy_from_host(const void* host, const Tensor& to);
/// To contiguous host memory; done on return.
void copy_to_host(const Tensor& from, void* host);

/// Real numbers, each rounded to the type of the tensor, which is float32 or float64.
void copy_from_host(std::span<const double> values, const Tensor& to);

/// All elements of a tensor of real numbers, in order.
std::vector<double> to_float64(const Tensor& tensor);

/// All elements, as a file keeps them.
std::string bytes_of(const Tensor& tensor);

}  // namespace chord
