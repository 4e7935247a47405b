// Pictures as matrices: grey levels from 0 to 255.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "matrix/matrix.hpp"

namespace chord {

inline constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";

/// Any PNG. Colour becomes grey by the weights of ITU-R BT.601; transparency is ignored. 16-bit levels keep what they
/// have beyond 8 bits as fractions. `side`: what each side must have, which is looked at before any pixel; 0: any.
DenseMatrix parse_png(std::string_view content, std::int64_t side = 0);

/// Grey levels of 8 bits, row by row.
std::string format_png(const std::uint8_t* levels, int width, int height);

}  // namespace chord
