// Several runs on one page: what they reached, in what they differ, their curves.
#pragma once

#include <string>
#include <vector>

#include "common/table.hpp"
#include "record.hpp"

namespace train {

std::string compare_page(const std::vector<RunRecord>& runs, const program::Table& results,
                         const program::Table& settings, const std::string& command_line);

}  // namespace train
