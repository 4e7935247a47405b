// The results of all matrices side by side, for the terminal and for the report.
#pragma once

#include <string>
#include <vector>

#include "result.hpp"

namespace factorize {

struct Table {
  std::vector<std::string> titles;  ///< the first column is text, the others numbers
  std::vector<std::vector<std::string>> rows;
};

/// `published`: with columns for the published error and how ours compares.
Table make_table(const std::vector<Result>& results, bool published);

/// Aligned columns, each line ended.
std::string to_text(const Table& table);

/// "SF", "TSVD" or "both", whichever error is lower; "–" where there is nothing to compare.
std::string winner(const Result& result);

/// How many are at or below their published errors, and of how many: "3 of 4 at or below the published error".
std::string published_summary(const std::vector<Job>& jobs, const std::vector<Result>& results);

}  // namespace factorize
