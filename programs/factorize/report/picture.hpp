// Matrices as pictures inside the page, and the bars that explain their colours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "palette.hpp"
#include "scale.hpp"

namespace factorize {

/// An <img> with side · side values, row by row.
std::string picture(std::int64_t side, const std::vector<double>& values, const Scale& scale, const Palette& palette,
                    const std::string& alternative_text);

/// An <svg> with the palette and the values its colours stand for. `id` must be the only one of its kind on the page.
std::string colour_bar(const Scale& scale, const Palette& palette, const std::string& id);

}  // namespace factorize
