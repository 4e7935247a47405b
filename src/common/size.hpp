// Sizes come from users and files: products and sums of them are checked before anything is allocated.
#pragma once

#include <cstdint>
#include <limits>

#include "common/error.hpp"

namespace chord {

inline std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) fail(Status::too_large, "size overflows: ", a, " × ", b);
  return result;
}

inline std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t result;
  if (__builtin_add_overflow(a, b, &result)) fail(Status::too_large, "size overflows: ", a, " + ", b);
  return result;
}

/// The value in 32 bits, in which kernels count rows, columns and links.
inline std::int32_t checked_int32(std::int64_t value, const char* what) {
  if (value < 0 || value > std::numeric_limits<std::int32_t>::max())
    fail(Status::too_large, what, " is ", value, "; at most ", std::numeric_limits<std::int32_t>::max(),
         " is supported");
  return static_cast<std::int32_t>(value);
}

}  // namespace chord
