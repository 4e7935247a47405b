// What someone may have meant who mistyped a word.
#pragma once

#include <string>
#include <vector>

namespace program {

/// The word with the fewest letters to change, add or leave out; empty if none is like it.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

/// "; did you mean WORD?", or nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace program
