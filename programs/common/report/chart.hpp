// Curves over a straight axis, their values on a logarithmic one or on a straight one from 0.
#pragma once

#include <string>
#include <vector>

namespace program {

struct ChartPoint {
  double x, y;
};

struct ChartSeries {
  std::string name;
  std::string style;  ///< a class of the page's style: its colour
  std::vector<ChartPoint> points;
};

struct ChartLine {
  std::string name, style;
  double value;
};

struct Chart {
  std::string title, x_title, y_title;
  double x_low = 0;
  std::vector<ChartSeries> series;
  std::vector<ChartLine> horizontal, vertical;
  double width = 580, height = 340;
  bool logarithmic = true;
  bool counts = false;  ///< whole numbers along the straight axis
};

/// A <figure> with legend and chart. Values that have no place, for want of a logarithm, say, are left out.
std::string to_html(const Chart& chart);

}  // namespace program
