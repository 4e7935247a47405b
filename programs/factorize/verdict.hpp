// What a result is worth, in sentences: beside a truncated SVD, beside X itself, beside nothing at all.
#pragma once

#include <string>
#include <vector>

#include "result.hpp"

namespace factorize {

/// What must not be missed comes first.
std::vector<std::string> verdict(const Result& result);

}  // namespace factorize
