// Sequences of the test set with what the model answered and attended to.
#pragma once

#include <string>

#include "../result.hpp"

namespace train {

std::string gallery(const Setup& setup, const std::vector<Example>& examples);

}  // namespace train
