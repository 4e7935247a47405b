#include "progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "interrupt.hpp"
#include "text.hpp"

namespace factorize {
namespace {

constexpr double terminal_seconds = 0.1, plain_seconds = 10;

/// A line that wraps could not be rewritten. All its characters are ASCII.
std::string cut_to_terminal(const std::string& line) {
  struct winsize size {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return line;
  return line.substr(0, size.ws_col - 1);
}

}  // namespace

std::string progress_line(const chord_factorize_progress& now, double seconds_limit) {
  std::string line = "iteration " + std::to_string(now.iteration) + ", start " + std::to_string(now.start + 1) +
                     " of " + std::to_string(now.starts) + ", error " + number(now.best_error) + ", relative " +
                     number(now.relative_error);
  if (now.seconds > 0) line += ", " + number(double(now.iteration) / now.seconds) + " iterations/s";
  line += seconds_limit > 0 ? ", " + duration(seconds_limit - now.seconds) + " left" : ", " + duration(now.seconds);
  return line;
}

Progress::Progress(double seconds_limit, bool plain_lines)
    : seconds_limit_(seconds_limit), terminal_(isatty(STDERR_FILENO)), plain_lines_(plain_lines) {}

Progress::~Progress() {
  if (line_open_) std::fputs("\r\033[K", stderr);
}

int32_t Progress::callback(const chord_factorize_progress* progress, void* user) {
  auto& self = *static_cast<Progress*>(user);
  self.curve_.add({progress->seconds, progress->best_error});
  self.show(*progress);
  return interrupted() != 0;
}

void Progress::show(const chord_factorize_progress& now) {
  if (now.seconds - shown_at_ < (terminal_ ? terminal_seconds : plain_seconds)) return;
  shown_at_ = now.seconds;
  const std::string line = progress_line(now, seconds_limit_);
  if (terminal_) {
    std::fprintf(stderr, "\r%s\033[K", cut_to_terminal(line).c_str());
    std::fflush(stderr);
    line_open_ = true;
  } else if (plain_lines_) {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

}  // namespace factorize
