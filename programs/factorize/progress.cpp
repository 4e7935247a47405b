#include "progress.hpp"

#include <cstdio>

#include "common/interrupt.hpp"
#include "common/text.hpp"

namespace factorize {
namespace {

using namespace program;

constexpr double terminal_seconds = 0.1, plain_seconds = 10;

}  // namespace

std::string progress_line(const chord_factorize_progress& now, double seconds_limit) {
  std::string line = "iteration " + std::to_string(now.iteration) + ", start " + std::to_string(now.start + 1) +
                     " of " + std::to_string(now.starts) + ", error " + number(now.best_error) +
                     (now.standard_error > 0 ? " ± " + number(now.standard_error) : "") + ", relative " +
                     number(now.relative_error);
  if (now.seconds > 0) line += ", " + number(double(now.iteration) / now.seconds) + " iterations/s";
  line += seconds_limit > 0 ? ", " + duration(seconds_limit - now.seconds) + " left" : ", " + duration(now.seconds);
  return line;
}

Progress::Progress(double seconds_limit, bool plain_lines) : seconds_limit_(seconds_limit), plain_lines_(plain_lines) {}

int32_t Progress::callback(const chord_factorize_progress* progress, void* user) {
  auto& self = *static_cast<Progress*>(user);
  self.starts_ = progress->starts;
  self.curve_.add({progress->seconds, progress->best_error, progress->start});
  self.show(*progress);
  return interrupted() != 0;
}

void Progress::show(const chord_factorize_progress& now) {
  if (now.seconds - shown_at_ < (line_.terminal() ? terminal_seconds : plain_seconds)) return;
  shown_at_ = now.seconds;
  const std::string text = progress_line(now, seconds_limit_);
  if (line_.terminal())
    line_.show(text);
  else if (plain_lines_)
    std::fprintf(stderr, "%s\n", text.c_str());
}

}  // namespace factorize
