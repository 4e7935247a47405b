#include "verdict.hpp"

#include <cmath>
#include <cstdio>

#include "../progress.hpp"
#include "../tasks.hpp"
#include "common/text.hpp"

namespace train {
namespace {

using namespace program;

std::string points(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f points", std::abs(value));
  return text;
}

/// Within how many points the accuracy would lie in 95 % of test sets of this size.
double margin(const Score& score) {
  const double share = score.accuracy() / 100;
  return 196 * std::sqrt(share * (1 - share) / double(score.count));
}

std::string beside(double accuracy, double published) {
  const double difference = accuracy - published;
  if (std::abs(difference) < 0.005) return ", as published";
  return ", " + points(difference) + (difference < 0 ? " below" : " above") + " the published " + percent(published);
}

/// What was different from the paper.
std::string conditions(const Setup& setup, bool compared) {
  const Settings& settings = setup.settings;
  std::string text;
  if (compared && !find_task(settings.task).generated)
    text += settings.selects_by_test()
                ? " As for the published figure, the epoch was selected by the test set itself."
                : " The published figure was selected by the test set itself; here the test set was used once.";
  if (settings.count > 0 || settings.eval_count > 0)
    text += " The numbers of sequences are not the paper's: " + std::to_string(setup.train_count) + " to train on, " +
            std::to_string(setup.test_count) + " to test.";
  return text;
}

}  // namespace

std::string verdict(const Setup& setup, const History& history, const std::optional<Result>& result) {
  if (!result) {
    const Epoch* best = history.best();
    return "Running: " + std::to_string(history.number()) + " of " +
           counted(setup.course.last(), setup.course.unit().c_str()) + " done" +
           (best ? "; best " + setup.settings.selecting_set() + " accuracy " + percent(best->validation_accuracy)
                 : "") +
           ".";
  }
  const auto published = published_accuracy(setup.settings.task, setup.model.length);
  const double accuracy = result->test.accuracy(), off = margin(result->test);
  std::string text = setup.settings.selects_by_test() ? "Test accuracy, epoch selected by it: " : "Test accuracy ";
  text += percent(accuracy);
  if (off >= 0.005) text += " ± " + points(off) + " (for a test set of " + std::to_string(setup.test_count) + ")";
  if (published) text += beside(accuracy, *published);
  return text + "." + conditions(setup, published.has_value());
}

}  // namespace train
