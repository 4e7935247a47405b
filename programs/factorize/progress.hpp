// What is seen of a running factorisation: one line on standard error that is rewritten on a terminal, and a line now
// and then elsewhere. It also records the curve, and passes an interrupt on to the run.
#pragma once

#include <chord/chord.h>

#include <string>

#include "common/terminal.hpp"
#include "curve.hpp"

namespace factorize {

/// One line: where the run is and how long it may still take. `seconds_limit`: 0 for none.
std::string progress_line(const chord_factorize_progress& now, double seconds_limit);

class Progress {
 public:
  /// Without `plain_lines`, nothing is shown where standard error is no terminal.
  Progress(double seconds_limit, bool plain_lines);

  /// For chord_factorize_options: `user` is a Progress.
  static int32_t callback(const chord_factorize_progress* progress, void* user);

  const Curve& curve() const { return curve_; }
  int starts() const { return starts_; }

 private:
  void show(const chord_factorize_progress& now);

  double seconds_limit_;
  bool plain_lines_;
  double shown_at_ = 0;
  int starts_ = 0;
  program::TerminalLine line_;
  Curve curve_;
};

}  // namespace factorize
