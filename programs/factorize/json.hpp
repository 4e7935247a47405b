// A result for other programs.
#pragma once

#include <string>

#include "result.hpp"

namespace factorize {

/// One object in one line. `published`: with the errors a list gives.
std::string to_json(const Result& result, bool published);

}  // namespace factorize
