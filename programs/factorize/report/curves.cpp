#include "curves.hpp"

#include <limits>

#include "common/report/chart.hpp"

namespace factorize {
namespace {

using namespace program;

std::vector<ChartPoint> numbered(const std::vector<double>& values, double floor) {
  std::vector<ChartPoint> points;
  for (std::size_t i = 0; i < values.size() && values[i] > floor; ++i) points.push_back({double(i + 1), values[i]});
  return points;
}

/// When the last start but the best was given up; 0 where there was no race.
double end_of_race(const std::vector<CurvePoint>& curve) {
  for (std::size_t i = curve.size(); i-- > 1;)
    if (curve[i].start != curve[i - 1].start) return curve[i].seconds;
  return 0;
}

}  // namespace

std::string convergence_chart(const Result& result, double width, double height) {
  const double norm = result.matrix.norm > 0 ? result.matrix.norm : 1;
  Chart chart{"Relative error over time", "seconds", "relative error", 0, {}, {}, {}, width, height};
  ChartSeries series{in_words(result.parts, result.fit.constraint) + ", the best so far", "blue", {}};
  for (const CurvePoint& each : result.curve) series.points.push_back({each.seconds, each.error / norm});
  chart.series.push_back(std::move(series));
  if (result.tsvd) chart.horizontal.push_back({"truncated SVD", "orange", result.tsvd->error / norm});
  if (result.job.published_error)
    chart.horizontal.push_back({"published", "green", *result.job.published_error / norm});
  const double race = end_of_race(result.curve);
  if (race > 0) {
    chart.bands.push_back({std::to_string(result.starts) + " starts race", 0, race});
    chart.note =
        "Flat parts: another start is worked on and not yet ahead; after the race, the best has been shaken and "
        "is not yet better than before.";
  }
  return to_html(chart);
}

std::string singular_value_chart(const Result& result, const View& view, double width, double height) {
  Chart chart{"Singular values", "number", "singular value", 1, {}, {}, {}, width, height};
  chart.counts = true;
  // What is smaller is nothing but rounding.
  const double floor = double(result.fit.n) * std::numeric_limits<double>::epsilon() * view.x_singular_values[0];
  chart.series.push_back({"X", "grey", numbered(view.x_singular_values, floor)});
  chart.series.push_back({"X̂", "blue", numbered(view.sf_singular_values, floor)});
  if (result.tsvd) chart.vertical.push_back({"truncated SVD's rank", "orange", double(result.tsvd->rank)});
  return to_html(chart);
}

}  // namespace factorize
