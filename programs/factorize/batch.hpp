// All inputs, one after the other, and what is made of their results.
#pragma once

#include <string>

#include "common/team.hpp"
#include "options.hpp"

namespace factorize {

/// The program's exit code: 0, 1 if anything failed, 128 + the signal if interrupted.
int run_all(const Options& options, const std::string& command_line, program::Team& team);

}  // namespace factorize
