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

}  // namespace

std::string convergence_chart(const Result& result, double width, double height) {
  const double norm = result.matrix.norm > 0 ? result.matrix.norm : 1;
  Chart chart{"Relative error over time", "seconds", "relative error", 0, {}, {}, {}, width, height};
  ChartSeries series{"sparse factors, the best so far", "blue", {}};
  for (const CurvePoint& each : result.curve) series.points.push_back({each.seconds, each.error / norm});
  chart.series.push_back(std::move(series));
  if (result.tsvd) chart.horizontal.push_back({"TSVD", "orange", result.tsvd->error / norm});
  if (result.job.published_error)
    chart.horizontal.push_back({"published", "green", *result.job.published_error / norm});
  return to_html(chart);
}

std::string singular_value_chart(const Result& result, const View& view, double width, double height) {
  Chart chart{"Singular values", "number", "singular value", 1, {}, {}, {}, width, height};
  chart.counts = true;
  // What is smaller is nothing but rounding.
  const double floor = double(result.fit.n) * std::numeric_limits<double>::epsilon() * view.x_singular_values[0];
  chart.series.push_back({"X", "grey", numbered(view.x_singular_values, floor)});
  chart.series.push_back({"X̂, sparse factors", "blue", numbered(view.sf_singular_values, floor)});
  if (result.tsvd) chart.vertical.push_back({"TSVD's rank", "orange", double(result.tsvd->rank)});
  return to_html(chart);
}

}  // namespace factorize
