// The grey level of a colour: Rec. 601 in 16-bit fixed point, as the Pillow library has it.
#pragma once

#include <cstdint>

namespace chord {

/// 65536 times 0.299 red + 0.587 green + 0.114 blue.
template <class Number>
Number weighted_grey(Number red, Number green, Number blue) {
  return Number(19595) * red + Number(38470) * green + Number(7471) * blue;
}

/// Rounded, of samples of 8 bits.
inline std::uint8_t grey_of(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  return std::uint8_t((weighted_grey<std::uint32_t>(red, green, blue) + 32768) >> 16);
}

}  // namespace chord
