#include "table.hpp"

#include <algorithm>

#include "text.hpp"

namespace program {
namespace {

std::string padding(std::size_t wanted, const std::string& text) {
  return std::string(wanted - std::min(wanted, characters(text)), ' ');
}

}  // namespace

std::string to_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& title : table.titles) widths.push_back(characters(title));
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], characters(row[i]));

  std::string text;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    text += cells[0] + padding(widths[0], cells[0]);
    for (std::size_t i = 1; i < cells.size(); ++i) text += "  " + padding(widths[i], cells[i]) + cells[i];
    text += '\n';
  };
  add_line(table.titles);
  for (const auto& row : table.rows) add_line(row);
  return text;
}

}  // namespace program
