// Colour maps.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace program {

struct Colour {
  std::uint8_t red, green, blue;
};

using Palette = std::array<Colour, 256>;

Palette grey_palette();        ///< black to white: for pictures
Palette sequential_palette();  ///< dark blue over green to yellow: for values of one sign
Palette diverging_palette();   ///< blue over white to red: for values around zero

/// #rrggbb
std::string hexadecimal(Colour colour);

}  // namespace program
