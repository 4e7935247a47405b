#include "chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../text.hpp"
#include "html.hpp"
#include "ticks.hpp"

namespace program {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
};

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {
    x_.include(chart.x_low);
    for (const ChartSeries& series : chart.series)
      for (const ChartPoint& point : series.points)
        if (has_place(point)) {
          x_.include(point.x);
          y_.include(point.y);
        }
    if (y_.empty()) y_ = {0.1, 1};
    if (y_.high == 0) y_.high = 1;
    if (x_.low == x_.high) x_.high += 1;
    // A line far away must not flatten the curves; the legend has its value anyway.
    const Range curves = y_;
    for (const ChartLine& line : chart.horizontal)
      if (line.value > curves.low / 30 && line.value < curves.high * 30) y_.include(line.value);
    if (chart.logarithmic) {
      const double margin = std::max(std::pow(y_.high / y_.low, 0.05), 1.02);
      y_ = {y_.low / margin, y_.high * margin};
    } else {
      y_ = {0, 1.03 * y_.high};
    }
  }

  std::string svg() const {
    std::string text = "<svg class=\"chart\" viewBox=\"0 0 " + coordinate(chart_.width) + " " +
                       coordinate(chart_.height) + "\" style=\"--units:" + coordinate(chart_.width) +
                       "\" role=\"img\" aria-label=\"" + escaped(chart_.title) + "\">";
    for (const ChartBand& each : chart_.bands) text += band(each);
    text += grid();
    for (const ChartLine& each : chart_.vertical)
      text += line(x(each.value), x(each.value), top, bottom(), each.style + " reference");
    for (const ChartLine& each : chart_.horizontal)
      if (shows(each)) text += line(left, right(), y(each.value), y(each.value), each.style + " reference");
    for (const ChartSeries& each : chart_.series) text += curve(each);
    return text + "</svg>";
  }

  bool shows(const ChartLine& horizontal) const { return horizontal.value >= y_.low && horizontal.value <= y_.high; }

 private:
  static constexpr double left = 80, top = 10;
  double right() const { return chart_.width - 24; }
  double bottom() const { return chart_.height - 46; }
  double x(double value) const { return left + (value - x_.low) / (x_.high - x_.low) * (right() - left); }
  double y(double value) const {
    const double share = chart_.logarithmic ? std::log(value / y_.low) / std::log(y_.high / y_.low)
                                            : (value - y_.low) / (y_.high - y_.low);
    return bottom() - share * (bottom() - top);
  }
  bool has_place(const ChartPoint& point) const {
    return std::isfinite(point.y) && (chart_.logarithmic ? point.y > 0 : point.y >= 0);
  }

  static std::string line(double x1, double x2, double y1, double y2, const std::string& style) {
    return "<line class=\"" + style + "\" x1=\"" + coordinate(x1) + "\" x2=\"" + coordinate(x2) + "\" y1=\"" +
           coordinate(y1) + "\" y2=\"" + coordinate(y2) + "\"/>";
  }
  std::string band(const ChartBand& band) const {
    return "<rect class=\"band\" x=\"" + coordinate(x(band.low)) + "\" y=\"" + coordinate(top) + "\" width=\"" +
           coordinate(x(band.high) - x(band.low)) + "\" height=\"" + coordinate(bottom() - top) + "\"/>";
  }
  static std::string label(double x, double y, const char* anchor, const std::string& text) {
    return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor + "\">" +
           escaped(text) + "</text>";
  }

  std::string grid() const {
    std::string text;
    for (const double tick : chart_.logarithmic ? logarithmic_ticks(y_.low, y_.high) : linear_ticks(0, y_.high, 5))
      text +=
          line(left, right(), y(tick), y(tick), "grid") + label(left - 8, y(tick) + 4, "end", mathematical(tick, 3));
    for (const double tick : linear_ticks(x_.low, x_.high, int(chart_.width / 90)))
      if (!chart_.counts || std::abs(tick - std::round(tick)) < 1e-9)
        text += line(x(tick), x(tick), bottom(), bottom() + 5, "tick") +
                label(x(tick), bottom() + 19, "middle", mathematical(tick, 3));
    text += line(left, right(), bottom(), bottom(), "tick") +
            label((left + right()) / 2, chart_.height - 8, "middle", chart_.x_title);
    const std::string middle = coordinate((top + bottom()) / 2);
    return text + "<text transform=\"rotate(-90 13 " + middle + ")\" x=\"13\" y=\"" + middle +
           "\" text-anchor=\"middle\">" + escaped(chart_.y_title) + "</text>";
  }

  /// With a dot at its end, which is all there is to see of a single point.
  std::string curve(const ChartSeries& series) const {
    std::string path, last;
    for (const ChartPoint& point : series.points) {
      if (!has_place(point)) continue;
      const std::string next = coordinate(x(point.x)) + "," + coordinate(y(point.y));
      if (next != last) path += (path.empty() ? "" : " ") + next;
      last = next;
    }
    if (path.empty()) return "";
    const std::size_t comma = last.find(',');
    return "<polyline class=\"" + series.style + "\" points=\"" + path + "\"/><circle class=\"" + series.style +
           "\" r=\"3.5\" cx=\"" + last.substr(0, comma) + "\" cy=\"" + last.substr(comma + 1) + "\"/>";
  }

  const Chart& chart_;
  Range x_, y_;
};

std::string legend_entry(const std::string& name, const std::string& style) {
  return "<li class=\"" + style + "\">" + escaped(name) + "</li>";
}

}  // namespace

std::string to_html(const Chart& chart) {
  const Drawing drawing(chart);
  std::string legend;
  for (const ChartSeries& each : chart.series) legend += legend_entry(each.name, each.style);
  for (const ChartLine& each : chart.horizontal)
    legend +=
        legend_entry(each.name + " " + mathematical(each.value) + (drawing.shows(each) ? "" : " (outside the chart)"),
                     each.style + " reference");
  for (const ChartLine& each : chart.vertical)
    legend += legend_entry(each.name + " " + mathematical(each.value), each.style + " reference");
  for (const ChartBand& each : chart.bands) legend += legend_entry(each.name, "band");
  const std::string note = chart.note.empty() ? "" : element("figcaption", chart.note);
  return "<figure class=\"curves\"><ul class=\"legend\">" + legend + "</ul>" + drawing.svg() + note + "</figure>\n";
}

}  // namespace program
