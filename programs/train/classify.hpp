// chord-train predict for raw inputs: the class of each, and how sure the model is.
#pragma once

#include "options.hpp"

namespace train {

int classify(const PredictOptions& options);

}  // namespace train
