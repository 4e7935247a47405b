#include "work_line.hpp"

#include <cstdio>

#include "common/interrupt.hpp"

namespace train {

bool WorkLine::tell(int64_t done, int64_t total) {
  constexpr std::chrono::milliseconds terminal_interval(100), plain_interval(10'000);
  const auto now = Clock::now();
  if (!quiet_ && total > 0 && now - shown_ > (line_.terminal() ? terminal_interval : plain_interval)) {
    shown_ = now;
    const std::string text = work_ + ": " + std::to_string(done) + " of " + std::to_string(total) + ", " +
                             std::to_string(100 * done / total) + " %";
    if (line_.terminal())
      line_.show(text);
    else
      std::fprintf(stderr, "%s\n", text.c_str());
  }
  return program::interrupted() != 0;
}

}  // namespace train
