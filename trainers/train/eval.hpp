// chord-train eval: how well a model does on a task's data.
#pragma once

#include "options.hpp"
#include "threads.hpp"

namespace train {

int evaluate_model(const EvalOptions& options, const Threads& threads);

}  // namespace train
