// Columns of text and numbers.
#pragma once

#include <string>
#include <vector>

namespace program {

struct Table {
  std::vector<std::string> titles;  ///< the first column is text, the others numbers
  std::vector<std::vector<std::string>> rows;
};

/// Aligned columns, each line ended.
std::string to_text(const Table& table);

}  // namespace program
