#include "data/grey_picture.hpp"

#include "common/error.hpp"
#include "io/png.hpp"

namespace chord {

GreyPicture parse_grey_picture(std::string_view png) {
  if (!png.starts_with(png_signature)) fail(Status::invalid_file, "is no PNG");
  const DenseMatrix levels = parse_png(png, picture_side);
  GreyPicture picture;
  for (std::size_t i = 0; i < picture.size(); ++i) {
    picture[i] = std::uint8_t(levels.values[i]);
    if (picture[i] != levels.values[i])
      fail(Status::invalid_file, "pixel ", i, " has level ", levels.values[i], "; expected levels of 8 bits");
  }
  return picture;
}

std::vector<std::string> level_names() {
  std::vector<std::string> names;
  for (int level = 0; level < 256; ++level) names.push_back(std::to_string(level));
  return names;
}

}  // namespace chord
