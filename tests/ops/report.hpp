// Tables, JSON and a line of progress.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ops {

/// A line on the terminal that is overwritten; nothing where the output goes elsewhere.
class Progress {
 public:
  explicit Progress(std::size_t steps) : steps_(steps), shown_(isatty(STDERR_FILENO)) {}
  ~Progress() { clear(); }
  void step(const std::string& what) {
    ++step_;
    if (shown_) std::fprintf(stderr, "\r\033[K[%zu/%zu] %s", step_, steps_, what.c_str());
  }
  void clear() const {
    if (shown_) std::fprintf(stderr, "\r\033[K");
  }

 private:
  std::size_t step_ = 0, steps_;
  bool shown_;
};

inline std::string printed(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Columns as wide as they need be, the first ones flush left, the others right.
class Table {
 public:
  Table(std::size_t left, std::vector<std::string> head) : left_(left), lines_{std::move(head)} {}
  void add(std::vector<std::string> line) { lines_.push_back(std::move(line)); }
  void print() const {
    std::vector<std::size_t> widths(lines_[0].size());
    for (const auto& line : lines_)
      for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], length(line[i]));
    for (const auto& line : lines_) {
      std::string text;
      for (std::size_t i = 0; i < line.size(); ++i) {
        const std::string space(widths[i] - length(line[i]), ' ');
        text += (i ? "  " : "") + (i < left_ ? line[i] + space : space + line[i]);
      }
      std::printf("%s\n", text.substr(0, text.find_last_not_of(' ') + 1).c_str());
    }
  }

 private:
  /// In characters: UTF-8's continuations take no place.
  static std::size_t length(const std::string& text) {
    std::size_t count = 0;
    for (const char each : text) count += (each & 0xC0) != 0x80;
    return count;
  }

  std::size_t left_;
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace ops
