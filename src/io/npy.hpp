// NumPy's array files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <string_view>

#include "io/matrix.hpp"

namespace chord {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// Versions 1 to 3; booleans, integers and reals of up to 64 bits, in both byte orders and both memory orders.
DenseMatrix parse_npy(std::string_view content);

}  // namespace chord
