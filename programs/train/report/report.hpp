// A run as a page: one file that needs no other and no network.
#pragma once

#include <optional>
#include <string>

#include "../history.hpp"
#include "../result.hpp"

namespace train {

/// `result`: none while it is running.
std::string report(const Setup& setup, const History& history, const std::optional<Result>& result,
                   const std::string& command_line);

}  // namespace train
