// What is seen of files being read or made, on standard error, and that it can be interrupted.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "common/terminal.hpp"

namespace train {

class WorkLine {
 public:
  /// `work`: what is being done, and to what.
  explicit WorkLine(std::string work, bool quiet = false) : work_(std::move(work)), quiet_(quiet) {}

  /// Shows how much is done, if the last time is a while ago. Returns whether to stop.
  bool tell(int64_t done, int64_t total);

 private:
  using Clock = std::chrono::steady_clock;

  std::string work_;
  bool quiet_;
  program::TerminalLine line_;
  Clock::time_point shown_ = Clock::now();
};

}  // namespace train
