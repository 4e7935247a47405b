// chord-train generate: a task's data for other frameworks, as arrays, or files like those it is read from.
#pragma once

#include "options.hpp"

namespace train {

int generate(const GenerateOptions& options);

}  // namespace train
