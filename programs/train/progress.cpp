#include "progress.hpp"

#include <cstdio>

#include "common/text.hpp"

namespace train {
namespace {

constexpr std::chrono::milliseconds terminal_interval(100), plain_interval(10'000);

int64_t percent_done(const Pace& pace) { return pace.total > 0 ? 100 * pace.done / pace.total : 100; }

}  // namespace

std::string percent(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %%", value);
  return text;
}

std::string progress_bar(const Pace& pace, const Score& score) {
  constexpr int64_t cells = 10;
  const int64_t full = pace.total > 0 ? cells * pace.done / pace.total : cells;
  std::string bar;
  for (int64_t i = 0; i < cells; ++i) bar += i < full ? "█" : "░";
  char share[16];
  std::snprintf(share, sizeof share, "%3lld %%", (long long)percent_done(pace));
  return pace.name + " " + bar + " " + share + "  loss " + program::number(score.loss()) + "  " +
         percent(score.accuracy()) + "  " + std::to_string(int64_t(pace.rate)) + "/s  " + program::duration(pace.left) +
         " left";
}

std::string progress_line(const Pace& pace, const Score& score) {
  return pace.name + ": " + std::to_string(percent_done(pace)) + " %, loss " + program::number(score.loss()) + ", " +
         percent(score.accuracy()) + " right, " + std::to_string(int64_t(pace.rate)) + "/s, " +
         program::duration(pace.left) + " left";
}

void Progress::begin(Pass pass, const std::string& name, int64_t total, int64_t done, const Workload& behind) {
  pass_ = pass;
  name_ = name;
  total_ = total;
  done_ = done;
  behind_ = behind;
  counted_ = shown_ = Clock::now();
}

void Progress::show(const Score& score) {
  const auto now = Clock::now();
  speed_.add(pass_, double(score.count - done_), std::chrono::duration<double>(now - counted_).count());
  done_ = score.count;
  counted_ = now;
  if (quiet_ || !(line_.terminal() || plain_lines_)) return;
  if (now - shown_ < (line_.terminal() ? terminal_interval : plain_interval)) return;
  shown_ = now;
  Workload left = behind_, one;
  left.of(pass_) += double(total_ - done_);
  one.of(pass_) = 1;
  const Pace pace{name_, total_, done_, 1 / seconds_for(one), seconds_for(left)};
  if (line_.terminal())
    line_.show(progress_bar(pace, score));
  else
    std::fprintf(stderr, "%s\n", progress_line(pace, score).c_str());
}

void Progress::say(const std::string& text) {
  line_.clear();
  if (!quiet_) std::fprintf(stderr, "%s\n", text.c_str());
}

}  // namespace train
