#include "heat.hpp"

#include <cmath>

#include "../text.hpp"
#include "html.hpp"

namespace program {

int Heat::level(double value) const { return int(std::lround((2 * scale_.position(value) - 1) * levels)); }

std::string Heat::coloured(int level, const std::string& html) {
  if (level == 0) return html;
  return "<i class=" + std::string(level > 0 ? "p" : "n") + std::to_string(std::abs(level)) + ">" + html + "</i>";
}

std::string Heat::legend() const {
  std::string boxes;
  for (int level = -levels; level <= levels; ++level) boxes += level == 0 ? "<i></i>" : coloured(level, "");
  return "<p class=\"heat-scale\"><span>" + mathematical(scale_.lowest(), 3) + "</span><span class=\"boxes\">" + boxes +
         "</span><span>" + mathematical(scale_.highest(), 3) + "</span> <small>" + escaped(scale_.description()) +
         "</small></p>\n";
}

}  // namespace program
