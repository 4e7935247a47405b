#include "text_chart.hpp"

#include <algorithm>
#include <cmath>

#include "common/text.hpp"

namespace train {
namespace {

constexpr int columns = 60, rows = 7;                  // characters
constexpr int width = 2 * columns, height = 4 * rows;  // dots

/// Dots, from the left and from the bottom.
class Canvas {
 public:
  Canvas() : cells_(columns * rows, 0) {}

  void dot(int x, int y) {
    // Unicode's order of the eight dots, by column and row from the top.
    static constexpr unsigned char bits[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
    const int row = height - 1 - y;
    cells_[row / 4 * columns + x / 2] |= bits[x % 2][row % 4];
  }
  void line(int x1, int y1, int x2, int y2) {
    const int steps = std::max({std::abs(x2 - x1), std::abs(y2 - y1), 1});
    for (int i = 0; i <= steps; ++i)
      dot(x1 + int(std::lround(double(x2 - x1) * i / steps)), y1 + int(std::lround(double(y2 - y1) * i / steps)));
  }
  std::string row(int number) const {
    std::string text;
    for (int column = 0; column < columns; ++column) {
      const unsigned code = 0x2800u + cells_[number * columns + column];
      text += {char(0xE0 | code >> 12), char(0x80 | (code >> 6 & 0x3F)), char(0x80 | (code & 0x3F))};
    }
    return text;
  }

 private:
  std::vector<unsigned char> cells_;
};

std::string right_aligned(const std::string& text, std::size_t wide) {
  return std::string(wide - std::min(wide, program::characters(text)), ' ') + text;
}

/// `low` and `high`: what the ends of the axis are called.
std::string chart(const std::string& title, const std::vector<double>& values, double bottom, double top,
                  const std::string& low, const std::string& high) {
  const auto x = [&](std::size_t i) { return int(std::lround(double(i) * (width - 1) / double(values.size() - 1))); };
  const auto y = [&](double value) {
    const double share = top > bottom ? (value - bottom) / (top - bottom) : 0.5;
    return int(std::lround(std::clamp(share, 0.0, 1.0) * (height - 1)));
  };
  Canvas canvas;
  for (std::size_t i = 1; i < values.size(); ++i) canvas.line(x(i - 1), y(values[i - 1]), x(i), y(values[i]));

  constexpr std::size_t margin = 10;
  std::string text = std::string(margin, ' ') + " " + title + "\n";
  for (int row = 0; row < rows; ++row)
    text += right_aligned(row == 0 ? high : row == rows - 1 ? low : "", margin) + " ┤" + canvas.row(row) + "\n";
  const std::string last = std::to_string(values.size());
  return text + std::string(margin, ' ') + " └1" + right_aligned(last, columns - 1) + " epochs\n";
}

}  // namespace

std::string text_charts(const std::vector<Epoch>& epochs, const std::string& selecting_set) {
  if (epochs.size() < 2) return "";
  std::vector<double> losses, accuracies;
  for (const Epoch& each : epochs) {
    losses.push_back(std::log(std::max(each.train_loss, 1e-30)));
    accuracies.push_back(each.validation_accuracy);
  }
  const auto [least, most] = std::minmax_element(losses.begin(), losses.end());
  return chart("training loss, logarithmic", losses, *least, *most, program::number(std::exp(*least)),
               program::number(std::exp(*most))) +
         "\n" + chart(selecting_set + " accuracy", accuracies, 0, 100, "0 %", "100 %") + "\n";
}

}  // namespace train
