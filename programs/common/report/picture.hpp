// Values as pictures inside a page or in a file of their own, and the bars that explain their colours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "palette.hpp"
#include "scale.hpp"

namespace program {

struct Picture {
  std::int64_t width, height;
  std::vector<double> values;  ///< row by row
};

/// How values become colours.
struct Colouring {
  Scale scale;
  Palette palette;
};

/// The bytes of a PNG file. Pictures of fewer pixels are enlarged to about `smallest` along their longer side: browsers
/// make a picture smaller well, but blur it, or make its pixels unequal, when they make it larger.
std::string to_png(const Picture& picture, const Colouring& colouring, std::int64_t smallest);

/// An <img>, for which nothing else is needed.
std::string to_html(const Picture& picture, const Colouring& colouring, const std::string& alternative_text,
                    std::int64_t smallest = 800);

/// An <svg> with the palette and the values its colours stand for. `id` must be the only one of its kind on the page.
std::string colour_bar(const Colouring& colouring, const std::string& id);

}  // namespace program
