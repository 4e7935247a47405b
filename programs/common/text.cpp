#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace program {
namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[64];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string superscript(int value) {
  const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = value < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(value))) text += digits[digit - '0'];
  return text;
}

}  // namespace

std::string number(double value) { return formatted("%.4g", value); }

std::string mathematical(double value, int digits) {
  if (value < 0) return "−" + mathematical(-value, digits);
  if (value == 0) return "0";
  if (!std::isfinite(value)) return number(value);
  char rounded[64];
  std::snprintf(rounded, sizeof rounded, "%.*e", digits - 1, value);
  const int decade = std::atoi(std::strchr(rounded, 'e') + 1);
  if (decade >= -3 && decade < 6) return formatted("%.*g", std::max(digits, decade + 1), value);
  const std::string leading = formatted("%.*g", digits, std::strtod(std::strtok(rounded, "e"), nullptr));
  return (leading == "1" ? "" : leading + "·") + "10" + superscript(decade);
}

std::string bytes(std::uint64_t count) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double amount = double(count);
  int unit = 0;
  for (; amount >= 1024 && unit < 4; ++unit) amount /= 1024;
  return formatted(unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
}

std::string duration(double seconds) {
  const long long whole = std::llround(std::max(seconds, 0.0)), minutes = whole / 60;
  if (minutes < 60) return formatted("%lld:%02lld", minutes, whole % 60);
  return formatted("%lld:%02lld:%02lld", minutes / 60, minutes % 60, whole % 60);
}

std::size_t characters(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](unsigned char byte) { return (byte & 0xC0) != 0x80; });
}

std::string first_characters(const std::string& text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t count = 0; end < text.size(); ++end)
    if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80 && count++ == most) break;
  return text.substr(0, end);
}

std::string wrapped(const std::string& text, std::size_t most) {
  std::string lines, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && characters(line) + 1 + characters(word) > most) {
      lines += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line + "\n";
}

std::string counted(std::int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string join(const std::vector<std::int64_t>& values, const char* separator) {
  std::string text;
  for (const std::int64_t value : values) text += (text.empty() ? "" : separator) + std::to_string(value);
  return text;
}

std::string join(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

}  // namespace program
