// The results as tables, for the terminal and for the report.
#pragma once

#include <string>
#include <vector>

#include "common/table.hpp"
#include "result.hpp"

namespace factorize {

/// One result, a row for each way to store the matrix: ours, a truncated SVD, X itself where it is sparse, and what was
/// published.
program::Table methods_table(const Result& result);

/// A row for each of several. `published`: with columns for the published error and how ours compares.
program::Table make_table(const std::vector<Result>& results, bool published);

/// All of that as text for a terminal of 80 columns, with the verdicts.
std::string results_text(const std::vector<Result>& results, bool published);

/// How many are at or below their published errors, and of how many: "3 of 4 at or below the published error".
std::string published_summary(const std::vector<Job>& jobs, const std::vector<Result>& results);

}  // namespace factorize
