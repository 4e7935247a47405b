// Pieces of files in error messages.
#pragma once

#include <string>
#include <string_view>

namespace chord {

/// The beginning of a text of any length and content, printable and in quotes.
inline std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  for (const char each : text.substr(0, longest)) result += each >= ' ' && each <= '~' ? each : '?';
  return result + (text.size() > longest ? "…'" : "'");
}

}  // namespace chord
