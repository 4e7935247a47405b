// Text made of parts: text("column ", 3, " of ", name). Without streams, which take no memory for the end of the text
// and would say nothing.
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace chord {

/// Letters and whatever is a text already.
template <class Part>
concept TextPart = std::convertible_to<const Part&, std::string_view>;

inline void append_part(std::string& whole, char letter) { whole += letter; }

template <TextPart Part>
void append_part(std::string& whole, const Part& part) {
  whole += std::string_view(part);
}

template <std::integral Number>
void append_part(std::string& whole, Number number) {
  char digits[24];
  whole.append(digits, std::to_chars(digits, digits + sizeof digits, +number).ptr);  // + makes an int of a bool
}

/// Six digits, which are enough for people.
template <std::floating_point Number>
void append_part(std::string& whole, Number number) {
  char digits[32];
  constexpr int precision = 6;
  whole.append(
      digits, std::to_chars(digits, digits + sizeof digits, double(number), std::chars_format::general, precision).ptr);
}

template <class... Parts>
std::string text(const Parts&... parts) {
  std::string whole;
  (append_part(whole, parts), ...);
  return whole;
}

}  // namespace chord
