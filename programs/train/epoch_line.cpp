#include "epoch_line.hpp"

#include <cstdio>

#include "common/text.hpp"
#include "progress.hpp"

namespace train {
namespace {

using namespace program;

/// Columns of text, for lines that are told one by one.
std::string columns(const std::string& epoch, const std::string& loss, const std::string& accuracy,
                    const std::string& validation_loss, const std::string& validation_accuracy, const char* best,
                    const std::string& seconds, const std::string& left) {
  char line[128];
  std::snprintf(line, sizeof line, "%-10s %9s  %8s  %14s  %8s %-4s  %7s  %8s", epoch.c_str(), loss.c_str(),
                accuracy.c_str(), validation_loss.c_str(), validation_accuracy.c_str(), best, seconds.c_str(),
                left.c_str());
  return line;
}

}  // namespace

std::string epoch_title(const std::string& selecting_set) {
  return columns("epoch", "loss", "accuracy", selecting_set, "accuracy", "", "seconds", "left");
}

std::string epoch_line(const History& history, int64_t epochs, double left) {
  const Epoch& last = history.epochs.back();
  return columns(std::to_string(last.number) + " of " + std::to_string(epochs), number(last.train_loss),
                 percent(last.train_accuracy), number(last.validation_loss), percent(last.validation_accuracy),
                 history.best() == &last ? "best" : "", last.seconds ? number(*last.seconds) : "-", duration(left));
}

}  // namespace train
