// What is seen of a running epoch, on standard error: a line that is rewritten on a terminal, and a line now and then
// elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "common/terminal.hpp"
#include "score.hpp"

namespace train {

std::string percent(double value);  ///< 12.34 %

/// A stretch of work as it stands.
struct Pace {
  std::string name;     ///< epoch 3 of 20
  int64_t total, done;  ///< sequences
  double rate, left;    ///< sequences per second; seconds
};
std::string progress_bar(const Pace& pace, const Score& score);   ///< for a terminal
std::string progress_line(const Pace& pace, const Score& score);  ///< for a file

class Progress {
 public:
  /// `quiet`: nothing at all. Without `plain_lines`, nothing but what stays is shown where there is no terminal.
  Progress(bool quiet, bool plain_lines) : quiet_(quiet), plain_lines_(plain_lines) {}

  /// `done` of `total` sequences were done earlier.
  void begin(const std::string& name, int64_t total, int64_t done = 0);
  void show(const Score& score);
  /// A line that stays.
  void say(const std::string& text);
  /// The end of what began.
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  bool quiet_, plain_lines_;
  program::TerminalLine line_;
  std::string name_;
  int64_t total_ = 0, earlier_ = 0;
  Clock::time_point begin_, shown_;
};

}  // namespace train
