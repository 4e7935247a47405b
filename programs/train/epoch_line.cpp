#include "epoch_line.hpp"

#include <cstdio>

#include "common/text.hpp"
#include "progress.hpp"

namespace train {
namespace {

using namespace program;

constexpr std::size_t widest = 15;  // of the first column

/// Columns of text, for lines that are told one by one.
std::string columns(const std::string& epoch, const std::string& loss, const std::string& accuracy,
                    const std::string& validation_loss, const std::string& validation_accuracy, const char* best,
                    const std::string& seconds, const std::string& left) {
  char line[128];
  std::snprintf(line, sizeof line, "%-15s %9s %8s %14s %8s %-4s %7s %8s", epoch.c_str(), loss.c_str(), accuracy.c_str(),
                validation_loss.c_str(), validation_accuracy.c_str(), best, seconds.c_str(), left.c_str());
  return line;
}

/// In seven columns.
std::string in_seconds(double seconds) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.*f", seconds < 100 ? 3 : 0, seconds);
  return digits;
}

}  // namespace

std::string epoch_title(const Setup& setup) {
  return columns(setup.course.unit(), "loss", "accuracy", setup.settings.selecting_set(), "accuracy", "", "seconds",
                 "left");
}

std::string epoch_line(const History& history, int64_t last_number, double left) {
  const Epoch& last = history.epochs.back();
  const std::string done = std::to_string(last.number), of_all = done + " of " + std::to_string(last_number);
  return columns(of_all.size() <= widest ? of_all : done, number(last.train_loss), percent(last.train_accuracy),
                 number(last.validation_loss), percent(last.validation_accuracy), history.best() == &last ? "best" : "",
                 last.seconds ? in_seconds(*last.seconds) : "-", duration(left));
}

}  // namespace train
