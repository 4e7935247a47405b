#include "views.hpp"

#include <algorithm>
#include <cmath>

#include "reduce.hpp"

namespace train {
namespace {

bool is_picture(const Sight& sight) {
  return (sight.task == "image" || sight.task == "pathfinder") && picture_side(sight.sequence.length) > 0;
}

program::Picture bands(const Sight& sight) {
  constexpr int64_t widest = 1024;
  program::Picture picture{std::min(sight.sequence.length, widest), 0, {}};
  const int64_t height = std::max<int64_t>(1, picture.width / 16);
  for (std::size_t r = 0; r < sight.choice.rows.size(); ++r) {
    const std::vector<double> row = strongest(sight.row(r), picture.width);
    for (int64_t line = 0; line < height; ++line) picture.values.insert(picture.values.end(), row.begin(), row.end());
    picture.height += height;
  }
  return picture;
}

}  // namespace

std::string view(const Sight& sight, bool whole, const std::string& id) {
  if (sight.task == "text") return text_view(sight, whole);
  if (sight.task == "listops") return tree_view(sight, whole);
  if (is_picture(sight)) return picture_view(sight, whole, id);
  return strip_view(sight, whole);
}

program::Picture picture_of(const Sight& sight) {
  if (!is_picture(sight)) return bands(sight);
  const int64_t side = picture_side(sight.sequence.length);
  return {side, side, sight.sum()};
}

program::Colouring colouring_of(const program::Picture& picture) {
  return {program::Scale::of_residuals(picture.values), program::diverging_palette()};
}

}  // namespace train
