// The curves of a run for the terminal, drawn with braille dots.
#pragma once

#include <string>
#include <vector>

#include "history.hpp"

namespace train {

/// Training loss, on a logarithmic scale, and validation accuracy over the epochs; nothing for fewer than two.
std::string text_charts(const std::vector<Epoch>& epochs);

}  // namespace train
