#include "table.hpp"

#include <algorithm>

#include "terminal.hpp"
#include "text.hpp"

namespace program {
namespace {

std::string padding(std::size_t wanted, const std::string& text) {
  return std::string(wanted - std::min(wanted, characters(text)), ' ');
}

using Widths = std::vector<std::size_t>;
constexpr std::size_t gap = 2;

Widths widths_of(const Table& table) {
  Widths widths;
  for (const std::string& title : table.titles) widths.push_back(characters(title));
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], characters(row[i]));
  return widths;
}

/// The end of the columns from `first` on that fit beside the first one of all, at least one.
std::size_t end_of_part(const Widths& widths, std::size_t first, std::size_t width) {
  std::size_t end = first, used = widths[0];
  while (end < widths.size() && (end == first || used + gap + widths[end] <= width)) used += gap + widths[end++];
  return end;
}

std::string part(const Table& table, const Widths& widths, std::size_t first, std::size_t end) {
  std::string text;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line = cells[0] + padding(widths[0], cells[0]);
    for (std::size_t i = first; i < end; ++i) line += std::string(gap, ' ') + padding(widths[i], cells[i]) + cells[i];
    text += line + "\n";
  };
  add_line(table.titles);
  for (const auto& row : table.rows) add_line(row);
  return text;
}

}  // namespace

std::string to_text(const Table& table, std::size_t width) {
  const Widths widths = widths_of(table);
  std::string text;
  for (std::size_t first = 1, end = 0; first < widths.size(); first = end) {
    end = end_of_part(widths, first, width);
    text += (first > 1 ? "\n" : "") + part(table, widths, first, end);
  }
  return text;
}

std::string to_text(const Table& table) { return to_text(table, table_width()); }

}  // namespace program
