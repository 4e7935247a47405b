// The type of tensors that a C++ type computes with.
#pragma once

#include "operations/tensor.hpp"

namespace chord {

template <class T>
inline constexpr DataType real_type = sizeof(T) == 4 ? DataType::float32 : DataType::float64;

}  // namespace chord
