// chord-train predict: a model's outputs for sequences in a file, their loss and its gradients.
#pragma once

#include "options.hpp"

namespace train {

int predict(const PredictOptions& options);

}  // namespace train
