// chord-train eval: how well a model does on a task's data.
#pragma once

#include "options.hpp"

namespace train {

int evaluate_model(const EvalOptions& options);

}  // namespace train
