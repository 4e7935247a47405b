// chord-train compare: several runs side by side.
#pragma once

#include <string>

#include "../options.hpp"

namespace train {

int compare_runs(const CompareOptions& options, const std::string& command_line);

}  // namespace train
