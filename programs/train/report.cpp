#include "report.hpp"

#include "common/report/chart.hpp"
#include "common/report/html.hpp"
#include "common/text.hpp"
#include "progress.hpp"
#include "tasks.hpp"

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
  Chart chart{"Loss over the epochs", "epoch", "loss", 1, {}, {}, {}};
  chart.counts = true;
  chart.series = {series(history, "training", "blue", &Epoch::train_loss),
                  series(history, setup.settings.selecting_set().c_str(), "orange", &Epoch::validation_loss)};
  return to_html(chart);
}

std::string accuracy_chart(const Setup& setup, const History& history) {
  Chart chart{"Accuracy over the epochs", "epoch", "accuracy in %", 1, {}, {}, {}};
  chart.logarithmic = false;
  chart.counts = true;
  chart.series = {series(history, "training", "blue", &Epoch::train_accuracy),
                  series(history, setup.settings.selecting_set().c_str(), "orange", &Epoch::validation_accuracy)};
  if (const auto published = published_accuracy(setup.settings.task, setup.model.length))
    chart.horizontal.push_back({"published (test)", "green", *published});
  return to_html(chart);
}

std::string figures(const Setup& setup, const History& history, const std::optional<Result>& result) {
  std::vector<Figure> all;
  const auto published = published_accuracy(setup.settings.task, setup.model.length);
  if (result)
    all.push_back({nice_percent(result->test.accuracy()),
                   test_name(setup.settings) + ": model of epoch " + std::to_string(result->best.number)});
  if (published) all.push_back({nice_percent(*published), "published test accuracy"});
  if (const Epoch* best = history.best())
    all.push_back({nice_percent(best->validation_accuracy),
                   "best " + setup.settings.selecting_set() + " accuracy, epoch " + std::to_string(best->number)});
  all.push_back({std::to_string(setup.model.parameters), "parameters"});
  all.push_back({mathematical(mean_seconds(history.epochs), 3) + "&nbsp;s",
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
                              element("td", each.seconds ? mathematical(*each.seconds, 3) : "–")) +
            "\n";
  return "<div class=\"wide\"><table><thead><tr><th scope=\"col\">epoch</th><th scope=\"col\">training loss</th>"
         "<th scope=\"col\">accuracy</th><th scope=\"col\">" +
         setup.settings.selecting_set() +
         " loss</th><th scope=\"col\">accuracy</th>"
         "<th scope=\"col\">seconds</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string value_text(const Json& value) {
  return escaped(value.is_string() ? value.get<std::string>() : value.dump());
}

/// A model's keys, in a line each would be a long list.
std::string model_text(const Json& model) {
  std::string text;
  for (const auto& [name, value] : model.items()) text += (text.empty() ? "" : ", ") + name + " " + value_text(value);
  return text;
}

std::string settings(const Setup& setup, const std::optional<Result>& result, const std::string& command_line) {
  const Settings& chosen = setup.settings;
  std::vector<Detail> list = {
      {"Data", data_text(setup)},
      {"Optimiser", "Adam, learning rate " + mathematical(chosen.lr) + ", batches of " + std::to_string(chosen.batch) +
                        ", " + counted(chosen.epochs, "epoch") +
                        (chosen.stop_when_perfect ? " or until " + chosen.selecting_set() + " is perfect" : "")},
      {"Model", model_text(chosen.model)},
      {"Seed", std::to_string(chosen.seed)},
      {"Memory", bytes(setup.memory.parameter_bytes) + " for parameters, gradients and moments, " +
                     bytes(setup.memory.activation_bytes) + " for activations (" +
                     memory_names[std::size_t(setup.memory.memory)] + ")" +
                     (result ? "; " + bytes(result->peak_memory_bytes) + " at most in use" : "")},
      {"Device", escaped(setup.device.selector) + " (" + escaped(setup.device.name) + ")"},
      {"Command", "<code>" + escaped(command_line) + "</code>"}};
  return details(list);
}

}  // namespace

std::string report(const Setup& setup, const History& history, const std::optional<Result>& result,
                   const std::string& command_line) {
  const std::string title = find_task(setup.settings.task).title, length = std::to_string(setup.model.length);
  const std::string state = result ? ""
                                   : " Running: " + std::to_string(history.epochs.size()) + " of " +
                                         counted(setup.settings.epochs, "epoch") + " done.";
  return page(title + ", length " + length,
              "<p class=\"soft\">SparseChord training</p>\n<h1>" + title + "</h1>\n<p class=\"soft\">Sequences of " +
                  length + " positions." + state + "</p>\n" + figures(setup, history, result) +
                  "<h2>Curves</h2>\n<div class=\"charts\">\n" + loss_chart(setup, history) +
                  accuracy_chart(setup, history) + "</div>\n<h2>Settings</h2>\n" +
                  settings(setup, result, command_line) + "<h2>Epochs</h2>\n" + epoch_table(setup, history));
}

}  // namespace train
