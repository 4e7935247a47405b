// Pieces of HTML and SVG.
#pragma once

#include <string>

namespace factorize {

/// Text that may stand anywhere, also inside attributes.
std::string escaped(const std::string& text);

/// A coordinate: one decimal is finer than any screen.
std::string coordinate(double value);

}  // namespace factorize
