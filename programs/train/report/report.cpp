#include "report.hpp"

#include <algorithm>

#include "../progress.hpp"
#include "../tasks.hpp"
#include "answers.hpp"
#include "common/report/chart.hpp"
#include "common/report/html.hpp"
#include "common/text.hpp"
#include "gallery.hpp"
#include "settings.hpp"
#include "verdict.hpp"

namespace train {
namespace {

using namespace program;

std::string nice_percent(double value) {
  std::string text = percent(value);
  return text.replace(text.find(' '), 1, "&nbsp;");
}

ChartSeries series(const History& history, const char* name, const char* style, double Epoch::* value) {
  ChartSeries result{name, style, {}};
  for (const Epoch& each : history.epochs) result.points.push_back({double(each.number), each.*value});
  return result;
}

std::string loss_chart(const Setup& setup, const History& history) {
  Chart chart{"Loss over the " + setup.course.unit() + "s", setup.course.unit(), "loss", 1, {}, {}, {}};
  chart.counts = true;
  chart.series = {series(history, "training", "blue", &Epoch::train_loss),
                  series(history, setup.settings.selecting_set().c_str(), "orange", &Epoch::validation_loss)};
  return to_html(chart);
}

std::string accuracy_chart(const Setup& setup, const History& history) {
  Chart chart{"Accuracy over the " + setup.course.unit() + "s", setup.course.unit(), "accuracy in %", 1, {}, {}, {}};
  chart.logarithmic = false;
  chart.counts = true;
  chart.series = {series(history, "training", "blue", &Epoch::train_accuracy),
                  series(history, setup.settings.selecting_set().c_str(), "orange", &Epoch::validation_accuracy)};
  if (const auto published = published_accuracy(setup.settings.task, setup.model.length))
    chart.horizontal.push_back({"published (test)", "green", *published});
  return to_html(chart);
}

/// Nothing where it is always the same.
std::string rate_chart(const Setup& setup, const History& history) {
  const auto changes = [&](const Epoch& each) { return each.learning_rate != setup.settings.lr; };
  if (std::none_of(history.epochs.begin(), history.epochs.end(), changes)) return "";
  Chart chart{
      "Learning rate over the " + setup.course.unit() + "s", setup.course.unit(), "learning rate", 1, {}, {}, {}};
  chart.logarithmic = false;
  chart.counts = true;
  chart.series = {series(history, "learning rate", "blue", &Epoch::learning_rate)};
  return to_html(chart);
}

std::string figures(const Setup& setup, const History& history, const std::optional<Result>& result) {
  std::vector<Figure> all;
  const auto published = published_accuracy(setup.settings.task, setup.model.length);
  if (result)
    all.push_back(
        {nice_percent(result->test.accuracy()),
         test_name(setup.settings) + ": model of " + setup.course.unit() + " " + std::to_string(result->best.number)});
  if (published) all.push_back({nice_percent(*published), "published test accuracy"});
  if (const Epoch* best = history.best())
    all.push_back({nice_percent(best->validation_accuracy), "best " + setup.settings.selecting_set() + " accuracy, " +
                                                                setup.course.unit() + " " +
                                                                std::to_string(best->number)});
  all.push_back({std::to_string(setup.model.parameters), "parameters"});
  all.push_back({mathematical(seconds_per_epoch(setup.course, history.epochs), 3) + "&nbsp;s",
                 "per epoch of " + counted(setup.train_count, "sequence")});
  return key_figures(all);
}

std::string epoch_table(const Setup& setup, const History& history) {
  std::string rows;
  for (const Epoch& each : history.epochs)
    rows += element("tr", element("td", std::to_string(each.number) + (&each == history.best() ? ", best" : "")) +
                              element("td", mathematical(each.train_loss)) +
                              element("td", nice_percent(each.train_accuracy)) +
                              element("td", mathematical(each.validation_loss)) +
                              element("td", nice_percent(each.validation_accuracy)) +
                              element("td", mathematical(each.learning_rate, 3)) +
                              element("td", each.seconds ? mathematical(*each.seconds, 3) : "–")) +
            "\n";
  return "<div class=\"wide\"><table><thead><tr><th scope=\"col\">" + setup.course.unit() +
         "</th><th scope=\"col\">training loss</th>"
         "<th scope=\"col\">accuracy</th><th scope=\"col\">" +
         setup.settings.selecting_set() +
         " loss</th><th scope=\"col\">accuracy</th>"
         "<th scope=\"col\">learning rate</th><th scope=\"col\">seconds</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

}  // namespace

std::string report(const Setup& setup, const History& history, const std::optional<Result>& result,
                   const std::string& command_line) {
  const std::string title = find_task(setup.settings.task).title, length = std::to_string(setup.model.length);
  return page(title + ", length " + length,
              "<p class=\"soft\">SparseChord training</p>\n<h1>" + title + "</h1>\n<p class=\"soft\">Sequences of " +
                  length + " positions.</p>\n<p class=\"verdict\">" + escaped(verdict(setup, history, result)) +
                  "</p>\n" + figures(setup, history, result) + "<h2>Curves</h2>\n<div class=\"charts\">\n" +
                  loss_chart(setup, history) + accuracy_chart(setup, history) + rate_chart(setup, history) +
                  "</div>\n" + (result ? answers_section(setup, *result) + gallery(setup, result->examples) : "") +
                  settings_section(setup, result, command_line) + "<h2>" +
                  (setup.course.by_steps() ? "Validations" : "Epochs") + "</h2>\n" + epoch_table(setup, history));
}

}  // namespace train
