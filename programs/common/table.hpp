// Columns of text and numbers.
#pragma once

#include <string>
#include <vector>

namespace program {

struct Table {
  std::vector<std::string> titles;  ///< the first column is text, the others numbers
  std::vector<std::vector<std::string>> rows;
};

/// Aligned columns, each line ended. What does not fit the width comes below, beside the first column once more.
std::string to_text(const Table& table, std::size_t width);
/// For standard output.
std::string to_text(const Table& table);

}  // namespace program
