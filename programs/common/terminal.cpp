#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "text.hpp"

namespace program {
namespace {

std::string cut_to_terminal(const std::string& line) {
  struct winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return line;
  return first_characters(line, size.ws_col - 1u);
}

}  // namespace

TerminalLine::TerminalLine() : terminal_(isatty(STDERR_FILENO)) {}

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
