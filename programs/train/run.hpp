// chord-train TASK: a run from its settings to its result.
#pragma once

#include <string>

#include "common/team.hpp"
#include "options.hpp"

namespace train {

/// The program's exit code: 0, or 128 + the signal if interrupted.
int train_model(const TrainOptions& options, const std::string& command_line, program::Team& team);

}  // namespace train
