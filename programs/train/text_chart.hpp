// The curves of a run for the terminal, drawn with braille dots.
#pragma once

#include <string>
#include <vector>

#include "history.hpp"

namespace train {

/// Training loss, on a logarithmic scale, and accuracy on the set that selects, over the epochs; nothing for fewer than
/// two.
std::string text_charts(const std::vector<Epoch>& epochs, const std::string& selecting_set);

}  // namespace train
