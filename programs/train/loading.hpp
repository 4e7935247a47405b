// What is seen of files being decoded, on standard error, and that it can be interrupted.
#pragma once

#include <chord/chord.hpp>
#include <chrono>
#include <string>

#include "common/terminal.hpp"

namespace train {

class Loading {
 public:
  Loading(std::string data, bool quiet) : data_(std::move(data)), quiet_(quiet) {}

  /// Has the dataset tell of its progress for as long as this lives.
  void watch(chord_dataset_options& options);

 private:
  using Clock = std::chrono::steady_clock;

  /// Returns whether to stop.
  bool tell(int64_t done, int64_t total);

  std::string data_;
  bool quiet_;
  program::TerminalLine line_;
  Clock::time_point shown_ = Clock::now();
};

}  // namespace train
