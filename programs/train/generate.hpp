// chord-train generate: a task's data for other frameworks.
#pragma once

#include "options.hpp"

namespace train {

int generate(const GenerateOptions& options);

}  // namespace train
