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

/// A part of the straight axis with a ground of its own.
struct ChartBand {
  std::string name;
  double low, high;
};

struct Chart {
  std::string title, x_title, y_title;
  double x_low = 0;
  std::vector<ChartSeries> series;
  std::vector<ChartLine> horizontal, vertical;
  double width = 580, height = 340;
  bool logarithmic = true;
  bool counts = false;  ///< whole numbers along the straight axis
  std::vector<ChartBand> bands = {};
  std::string note = {};  ///< below it; HTML
};

/// A <figure> with legend and chart. Values that have no place, for want of a logarithm, say, are left out.
std::string to_html(const Chart& chart);

}  // namespace program
