// Comma-separated values as RFC 4180 has them: quotes, doubled quotes, line breaks inside quotes.
#pragma once

#include <string>
#include <vector>

namespace program {

struct CsvRecord {
  int line;  ///< where it begins, counted from 1
  std::vector<std::string> fields;
};

/// All records of a text. Empty lines are left out. Throws std::runtime_error with "NAME:LINE: …".
std::vector<CsvRecord> parse_csv(const std::string& text, const std::string& name);

}  // namespace program
