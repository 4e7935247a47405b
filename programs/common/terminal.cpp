#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "text.hpp"

namespace program {
namespace {

std::string cut_to_terminal(const std::string& line) {
  struct winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return line;
  return first_characters(line, size.ws_col - 1u);
}

}  // namespace

bool rewrites_lines() {
  const char* const kind = std::getenv("TERM");
  return kind && *kind && std::string(kind) != "dumb" && isatty(STDERR_FILENO);
}

std::size_t table_width() {
  struct winsize size{};
  const bool known = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

TerminalLine::TerminalLine() : terminal_(rewrites_lines()) {}

void TerminalLine::show(const std::string& text) {
  std::fprintf(stderr, "\r%s\033[K", cut_to_terminal(text).c_str());
  std::fflush(stderr);
  open_ = true;
}

void TerminalLine::clear() {
  if (open_) std::fputs("\r\033[K", stderr);
  open_ = false;
}

}  // namespace program
