// Pictures of 32 × 32 pixels, which two tasks are about.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace chord {

inline constexpr std::int64_t picture_side = 32, picture_pixels = picture_side * picture_side;

/// Grey levels from 0 to 255, row by row.
using GreyPicture = std::array<std::uint8_t, std::size_t(picture_pixels)>;

/// Throws where the PNG is damaged, of another size, or has levels that 8 bits do not hold.
GreyPicture parse_grey_picture(std::string_view png);

/// The levels as text, "0" to "255".
std::vector<std::string> level_names();

}  // namespace chord
