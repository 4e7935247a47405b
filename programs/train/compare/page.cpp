#include "page.hpp"

#include <algorithm>

#include "common/report/chart.hpp"
#include "common/report/html.hpp"
#include "common/text.hpp"

namespace train {
namespace {

using namespace program;

/// A colour for each of many lines; the second dozen is dashed.
std::string line_style(std::size_t number) {
  static const std::vector<std::string> colours = {"blue", "orange", "green", "purple", "red", "teal", "brown", "grey"};
  return colours[number % colours.size()] + (number / colours.size() % 2 == 1 ? " dashed" : "");
}

/// What there is a curve of in any of the runs.
std::vector<std::string> measures(const std::vector<RunRecord>& runs) {
  std::vector<std::string> names;
  for (const RunRecord& run : runs)
    for (const LogColumn& each : run.log)
      if (&each != &run.log[0] && std::find(names.begin(), names.end(), each.name) == names.end())
        names.push_back(each.name);
  return names;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string chart_of(const std::vector<RunRecord>& runs, const std::string& measure) {
  std::string title = measure;
  std::replace(title.begin(), title.end(), '_', ' ');
  const bool accuracy = ends_with(measure, "accuracy");
  Chart chart{
      title + " over the " + runs[0].unit() + "s", runs[0].unit(), title + (accuracy ? " in %" : ""), 1, {}, {}, {}};
  chart.logarithmic = ends_with(measure, "loss");
  chart.counts = true;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const LogColumn* const column = runs[i].column(measure);
    if (!column) continue;
    ChartSeries series{runs[i].name, line_style(i), {}};
    for (std::size_t k = 0; k < column->values.size(); ++k)
      series.points.push_back({runs[i].numbers()[k], column->values[k]});
    chart.series.push_back(std::move(series));
  }
  return to_html(chart);
}

}  // namespace

std::string compare_page(const std::vector<RunRecord>& runs, const Table& results, const Table& settings,
                         const std::string& command_line) {
  std::string charts;
  for (const std::string& measure : measures(runs)) charts += chart_of(runs, measure);
  const std::string title = counted(int64_t(runs.size()), "run") + " side by side";
  return page(title, "<p class=\"soft\">SparseChord training</p>\n<h1>" + title + "</h1>\n<h2>Results</h2>\n" +
                         to_html(results) + "<h2>Settings that differ</h2>\n" +
                         (settings.rows.empty() ? "<p>None.</p>\n" : to_html(settings)) +
                         "<h2>Curves</h2>\n<div class=\"charts\">\n" + charts + "</div>\n<h2>Details</h2>\n" +
                         details({{"Command", command(command_line)}}));
}

}  // namespace train
