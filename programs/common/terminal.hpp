// The last line of the terminal, on standard error: it is rewritten while something runs.
#pragma once

#include <string>

namespace program {

class TerminalLine {
 public:
  TerminalLine();
  ~TerminalLine() { clear(); }
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;

  /// Whether standard error is one at all; if not, nothing should be shown this way.
  bool terminal() const { return terminal_; }

  /// Cut to the terminal's width: a line that wraps could not be rewritten.
  void show(const std::string& text);
  void clear();

 private:
  bool terminal_, open_ = false;
};

}  // namespace program
