// chord-train predict: a model's outputs for sequences in a file, their loss and its gradients.
#pragma once

#include "options.hpp"
#include "threads.hpp"

namespace train {

int predict(const PredictOptions& options, const Threads& threads);

}  // namespace train
