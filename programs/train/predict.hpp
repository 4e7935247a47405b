// chord-train predict: what a model says to inputs.
#pragma once

#include "options.hpp"

namespace train {

int predict(const PredictOptions& options);

}  // namespace train
