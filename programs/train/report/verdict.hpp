// A run in a sentence or two.
#pragma once

#include <optional>
#include <string>

#include "../history.hpp"
#include "../result.hpp"

namespace train {

/// Plain text: what it reached beside what was published, and what has to be known for that.
std::string verdict(const Setup& setup, const History& history, const std::optional<Result>& result);

}  // namespace train
