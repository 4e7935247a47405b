// Answers in words.
#pragma once

#include <string>

#include "answer.hpp"

namespace train {

/// What a class of a task is called: "cat", "positive", "XY", or its number.
std::string class_name(const std::string& task, int64_t number);

/// "dog (61 %)", or, where answers are values, "0.5961".
std::string given_text(const std::string& task, const Answer& answer);
/// "cat", or "0.5977".
std::string expected_text(const std::string& task, const Answer& answer);

}  // namespace train
