// What a model answered to the test set: which classes it confuses, or how far its values are off.
#pragma once

#include <string>

#include "../result.hpp"

namespace train {

std::string answers_section(const Setup& setup, const Result& result);

}  // namespace train
