// chord-train attention: what a model attends to in one sequence.
#pragma once

#include <string>

#include "../options.hpp"

namespace train {

int show_attention(const AttentionOptions& options, const std::string& command_line);

}  // namespace train
