// Grey levels and their tokens.
#pragma once

#include <string>
#include <vector>

#include "data/files/packed_dataset.hpp"

namespace chord {

/// {"grey": [levels…]}, in the order of their tokens.
std::string grey_encoding(const std::vector<int>& levels);

/// The levels of such an encoding: increasing, from 0 to 255.
std::vector<int> grey_levels(const std::string& encoding);

/// The token of each level; −1 for those that have none.
TokenTable grey_tokens(const std::vector<int>& levels);

}  // namespace chord
