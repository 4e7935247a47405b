// Rows over a sequence as bars.
#include <algorithm>
#include <cmath>

#include "common/report/html.hpp"
#include "common/text.hpp"
#include "reduce.hpp"
#include "views.hpp"

namespace train {
namespace {

using namespace program;

constexpr double height = 150, left = 70, top = 8, bottom = height - 24, middle = (top + bottom) / 2;

/// How many bars there is room for.
int64_t room_in(double width) { return int64_t(width / 2); }

/// All bars of one sign in one path.
std::string bars(const std::vector<double>& row, double largest, double right, double sign, const char* style) {
  const double step = (right - left) / double(row.size()), bar = std::max(0.6 * step, 1.0);
  std::string path;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double length = row[i] * sign > 0 ? std::abs(row[i]) / largest * (bottom - top) / 2 : 0;
    if (length < 0.1) continue;
    path += "M" + coordinate(left + (double(i) + 0.5) * step - bar / 2) + " " + coordinate(middle) + "v" +
            coordinate(-sign * length) + "h" + coordinate(bar) + "v" + coordinate(sign * length) + "z";
  }
  return "<path class=\"" + std::string(style) + "\" d=\"" + path + "\"/>";
}

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor + "\">" + text +
         "</text>";
}

/// The positions that are marked; two that are close to each other make room.
template <class Place>
std::string labels_below(std::vector<int64_t> marked, const Place& x) {
  constexpr double close = 60, gap = 4;
  std::sort(marked.begin(), marked.end());
  std::string svg;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const bool one_before = i > 0 && x(marked[i]) - x(marked[i - 1]) < close;
    const bool one_behind = i + 1 < marked.size() && x(marked[i + 1]) - x(marked[i]) < close;
    const char* const anchor = one_before == one_behind ? "middle" : one_behind ? "end" : "start";
    svg += label(x(marked[i]) + gap * (one_before - one_behind), height - 6, anchor, std::to_string(marked[i]));
  }
  return svg;
}

std::string strip(const Sight& sight, std::size_t number, double largest, double width) {
  const double right = width - 8;
  const int64_t length = sight.sequence.length;
  const auto x = [&](int64_t position) { return left + (double(position) + 0.5) / double(length) * (right - left); };
  std::string svg = "<svg class=\"chart strip\" viewBox=\"0 0 " + coordinate(width) + " " + coordinate(height) +
                    "\" style=\"--units:" + coordinate(width) + "\" role=\"img\" aria-label=\"The row of position " +
                    std::to_string(sight.choice.rows[number]) + "\">";
  for (const int64_t marked : sight.choice.rows) {
    const std::string at = coordinate(x(marked));
    svg += "<line class=\"grey reference\" x1=\"" + at + "\" x2=\"" + at + "\" y1=\"" + coordinate(top) + "\" y2=\"" +
           coordinate(bottom) + "\"/>";
  }
  svg += labels_below(sight.choice.rows, x);
  const std::vector<double> row = strongest(sight.row(number), room_in(width));
  svg += bars(row, largest, right, 1, "positive") + bars(row, largest, right, -1, "negative");
  svg += "<line class=\"tick\" x1=\"" + coordinate(left) + "\" x2=\"" + coordinate(right) + "\" y1=\"" +
         coordinate(middle) + "\" y2=\"" + coordinate(middle) + "\"/>";
  svg += label(left - 8, top + 8, "end", mathematical(largest, 2)) + label(left - 8, middle + 4, "end", "0") +
         label(left - 8, bottom, "end", mathematical(-largest, 2));
  return svg + "</svg>";
}

/// What stands at a position.
std::string content(const Sight& sight, int64_t position) {
  if (sight.sequence.features == 0) return sight.symbol(position);
  return mathematical(sight.sequence.reals[std::size_t(position * sight.sequence.features)], 3);
}

}  // namespace

std::string strip_view(const Sight& sight, bool whole) {
  const double width = whole ? 1000 : 520;
  double largest = 0;
  for (const double value : sight.values) largest = std::max(largest, std::abs(value));
  if (largest == 0) largest = 1;
  std::string html;
  for (std::size_t r = 0; r < sight.choice.rows.size(); ++r) {
    const int64_t position = sight.choice.rows[r];
    html += "<figure><figcaption>Row of position " + std::to_string(position) + ", which holds <b>" +
            escaped(content(sight, position)) + "</b></figcaption>" + strip(sight, r, largest, width) + "</figure>\n";
  }
  if (whole && sight.sequence.length > room_in(width))
    html += "<p class=\"soft\">Each bar is the value of largest magnitude among " +
            mathematical(double(sight.sequence.length) / double(room_in(width)), 3) + " neighbouring positions.</p>\n";
  return html;
}

}  // namespace train
