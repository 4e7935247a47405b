// The terminal: its width, and its last line, on standard error, which is rewritten while something runs. There are no
// colours, so NO_COLOR has nothing to switch off.
#pragma once

#include <cstddef>
#include <string>

namespace program {

/// Whether standard error is a terminal that knows escape sequences (TERM=dumb does not).
bool rewrites_lines();

/// The columns of standard output; 80 where it is no terminal.
std::size_t table_width();

class TerminalLine {
 public:
  TerminalLine();
  ~TerminalLine() { clear(); }
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;

  /// rewrites_lines(); if not, nothing should be shown this way.
  bool terminal() const { return terminal_; }

  /// Cut to the terminal's width: a line that wraps could not be rewritten.
  void show(const std::string& text);
  void clear();

 private:
  bool terminal_, open_ = false;
};

}  // namespace program
