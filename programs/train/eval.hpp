// chord-train eval: how well a model does on a task's data.
#pragma once

#include "common/team.hpp"
#include "options.hpp"

namespace train {

int evaluate_model(const EvalOptions& options, program::Team& team);

}  // namespace train
