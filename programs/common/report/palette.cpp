#include "palette.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

namespace program {
namespace {

/// Straight between colours at equal distances.
Palette interpolated(const std::vector<Colour>& anchors) {
  Palette palette;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double place = double(i) / double(palette.size() - 1) * double(anchors.size() - 1);
    const std::size_t left = std::min(std::size_t(place), anchors.size() - 2);
    const double share = place - double(left);
    const auto mixed = [&](std::uint8_t Colour::* channel) {
      return std::uint8_t(std::lround((1 - share) * anchors[left].*channel + share * anchors[left + 1].*channel));
    };
    palette[i] = {mixed(&Colour::red), mixed(&Colour::green), mixed(&Colour::blue)};
  }
  return palette;
}

}  // namespace

Palette grey_palette() { return interpolated({{0, 0, 0}, {255, 255, 255}}); }

// Lightness grows evenly, so that it also reads well in grey and to the colour-blind.
Palette sequential_palette() {
  return interpolated({{68, 1, 84},
                       {71, 45, 123},
                       {59, 82, 139},
                       {44, 114, 142},
                       {33, 144, 140},
                       {39, 173, 129},
                       {93, 200, 99},
                       {170, 220, 50},
                       {253, 231, 37}});
}

Palette diverging_palette() {
  return interpolated({{10, 45, 110},
                       {38, 102, 180},
                       {110, 165, 215},
                       {190, 218, 238},
                       {248, 248, 246},
                       {250, 208, 182},
                       {235, 140, 105},
                       {200, 60, 55},
                       {115, 10, 35}});
}

std::string hexadecimal(Colour colour) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", colour.red, colour.green, colour.blue);
  return text;
}

}  // namespace program
