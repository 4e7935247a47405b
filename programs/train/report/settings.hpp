// The settings of a run as tables.
#pragma once

#include <optional>
#include <string>

#include "../result.hpp"

namespace train {

/// A setting for people; one that is not there is a dash.
std::string shown(const Json& value);

std::string settings_section(const Setup& setup, const std::optional<Result>& result, const std::string& command_line);

}  // namespace train
