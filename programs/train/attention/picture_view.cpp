// A picture beside the rows over its pixels.
#include <algorithm>

#include "common/report/html.hpp"
#include "views.hpp"

namespace train {
namespace {

using namespace program;

std::string figure(const std::string& image, const std::string& caption, const std::string& more = "") {
  return "<figure>" + image + "<figcaption>" + caption + "</figcaption>" + more + "</figure>\n";
}

Picture input_of(const Sight& sight, int64_t side) {
  Picture picture{side, side, {}};
  for (const int32_t token : sight.sequence.tokens) picture.values.push_back(grey_level(token, sight.symbols));
  return picture;
}

/// Each row on its own, all on one scale.
std::string single_rows(const Sight& sight, int64_t side, const std::string& id) {
  const Colouring colouring{Scale::of_residuals(sight.values), diverging_palette()};
  std::string figures;
  for (std::size_t r = 0; r < sight.choice.rows.size(); ++r) {
    const int64_t pixel = sight.choice.rows[r];
    const std::string place = std::to_string(pixel / side + 1) + ", " + std::to_string(pixel % side + 1);
    figures += figure(to_html(Picture{side, side, sight.row(r)}, colouring, "The row of pixel " + place, 160), place);
  }
  return "<h2>Row by row</h2>\n<p class=\"soft\">Each by the row and the column of its pixel.</p>\n" +
         colour_bar(colouring, id + "-rows") + "<div class=\"pictures many\">\n" + figures + "</div>\n";
}

}  // namespace

std::string picture_view(const Sight& sight, bool whole, const std::string& id) {
  const int64_t side = picture_side(sight.sequence.length), smallest = whole ? 512 : 128;
  const Picture input = input_of(sight, side), map = picture_of(sight);
  const Colouring colouring = colouring_of(map);
  const std::string html =
      "<div class=\"pictures pair\">\n" +
      figure(to_html(input, {Scale::linear(input.values), grey_palette()}, "The picture", smallest), "Picture") +
      figure(to_html(map, colouring, "The sum of the rows over the picture", smallest), "Attention",
             colour_bar(colouring, id)) +
      "</div>\n";
  return whole ? html + single_rows(sight, side, id) : html;
}

}  // namespace train
