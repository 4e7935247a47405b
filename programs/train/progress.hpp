// What is seen of a running pass over the data, on standard error: a line that is rewritten on a terminal, and a line
// now and then elsewhere. Both fit 80 columns.
#pragma once

#include <chrono>
#include <string>

#include "common/terminal.hpp"
#include "score.hpp"
#include "speed.hpp"

namespace train {

std::string percent(double value);  ///< 12.34 %

/// A pass as it stands.
struct Pace {
  std::string name;     ///< epoch 3 of 20
  int64_t total, done;  ///< sequences
  double rate;          ///< sequences per second
  double left;          ///< seconds of the run, not only of the pass
};
std::string progress_bar(const Pace& pace, const Score& score);   ///< for a terminal
std::string progress_line(const Pace& pace, const Score& score);  ///< for a file

class Progress {
 public:
  /// `quiet`: nothing at all. Without `plain_lines`, nothing but what stays is shown where there is no terminal.
  Progress(bool quiet, bool plain_lines) : quiet_(quiet), plain_lines_(plain_lines) {}

  /// `done` of `total` sequences were done earlier. `behind`: what the run has to do after this pass.
  void begin(Pass pass, const std::string& name, int64_t total, int64_t done = 0, const Workload& behind = {});
  void show(const Score& score);
  /// The seconds that this will take, by the passes so far.
  double seconds_for(const Workload& work) const { return speed_.seconds_for(work); }
  /// A line that stays.
  void say(const std::string& text);
  /// The end of what began.
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  bool quiet_, plain_lines_;
  program::TerminalLine line_;
  Speed speed_;
  Pass pass_ = Pass::evaluation;
  std::string name_;
  int64_t total_ = 0, done_ = 0;
  Workload behind_;
  Clock::time_point counted_, shown_;  // `done_` are those until then
};

}  // namespace train
