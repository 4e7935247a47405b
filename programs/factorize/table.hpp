// The results of all matrices side by side, for the terminal and for the report.
#pragma once

#include <string>
#include <vector>

#include "common/table.hpp"
#include "result.hpp"

namespace factorize {

/// `published`: with columns for the published error and how ours compares.
program::Table make_table(const std::vector<Result>& results, bool published);

/// "SF", "TSVD" or "both", whichever error is lower; "–" where there is nothing to compare.
std::string winner(const Result& result);

/// How many are at or below their published errors, and of how many: "3 of 4 at or below the published error".
std::string published_summary(const std::vector<Job>& jobs, const std::vector<Result>& results);

}  // namespace factorize
