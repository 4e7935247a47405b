#include "data/pathfinder_picture.hpp"

#include <algorithm>
#include <cmath>

namespace chord {
namespace {

constexpr int fineness = 4, side = int(picture_side), fine_side = fineness * side;
constexpr double path_brightness = 0.86, path_thickness = 0.85;
constexpr double distractor_brightness = 1.0, distractor_thickness = 0.85;
constexpr double disc_brightness = 0.88, disc_radius = 1.5;
constexpr int levels = 225;

/// Where a pixel is in a picture of this width.
std::size_t place(int x, int y, int width) { return std::size_t(y) * std::size_t(width) + std::size_t(x); }

/// Brightness from 0 to 1, row by row.
class FineCanvas {
 public:
  FineCanvas() : values_(std::size_t(fine_side * fine_side)) {}

  double operator()(int x, int y) const { return values_[place(x, y, fine_side)]; }

  void draw_dash(const Dash& dash, double thickness, double brightness) {
    const double dx = dash.to.x - dash.from.x, dy = dash.to.y - dash.from.y, length = std::hypot(dx, dy);
    const Point middle{(dash.from.x + dash.to.x) / 2, (dash.from.y + dash.to.y) / 2};
    draw(middle, (length + thickness) / 2, brightness, [&](double x, double y) {
      const double along = (x * dx + y * dy) / length, across = (y * dx - x * dy) / length;
      return std::abs(along) <= length / 2 && std::abs(across) <= thickness / 2;
    });
  }
  void draw_disc(Point middle, double radius, double brightness) {
    draw(middle, radius, brightness, [=](double x, double y) { return x * x + y * y <= radius * radius; });
  }

 private:
  /// All that has a place inside, seen from the middle, and is no further from it than `reach`.
  template <class Inside>
  void draw(Point middle, double reach, double brightness, Inside inside) {
    const auto first = [&](double at) { return std::max(0, int((at - reach) * fineness)); };
    const auto last = [&](double at) { return std::min(fine_side - 1, int((at + reach) * fineness)); };
    for (int y = first(middle.y); y <= last(middle.y); ++y)
      for (int x = first(middle.x); x <= last(middle.x); ++x) {
        double& value = values_[place(x, y, fine_side)];
        if (inside((x + 0.5) / fineness - middle.x, (y + 0.5) / fineness - middle.y))
          value = std::max(value, brightness);
      }
  }

  std::vector<double> values_;
};

/// Lanczos' filter of three lobes at fine pixels, from the first that belongs to a pixel's window.
struct Filter {
  static constexpr int lobes = 3, size = 2 * lobes * fineness, before = size / 2 - fineness / 2;
  Filter() {
    double sum = 0;
    for (int i = 0; i < size; ++i) sum += weights[i] = at((i + 0.5 - size / 2.0) / fineness);
    for (double& each : weights) each /= sum;
  }
  static double at(double x) {
    const double angle = pi * x;
    return lobes * std::sin(angle) * std::sin(angle / lobes) / (angle * angle);  // x is never 0
  }
  double weights[size];
};

std::uint8_t level_of(double brightness) {
  const double step = std::round(std::clamp(brightness, 0.0, 1.0) * (levels - 1));
  return std::uint8_t(std::lround(step * 255 / (levels - 1)));
}

GreyPicture made_smaller(const FineCanvas& canvas) {
  static const Filter filter;
  const auto clamped = [](int at) { return std::clamp(at, 0, fine_side - 1); };
  std::vector<double> narrow(std::size_t(fine_side * side));
  for (int y = 0; y < fine_side; ++y)
    for (int x = 0; x < side; ++x)
      for (int i = 0; i < Filter::size; ++i)
        narrow[place(x, y, side)] += filter.weights[i] * canvas(clamped(x * fineness - Filter::before + i), y);
  GreyPicture picture;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      double sum = 0;
      for (int i = 0; i < Filter::size; ++i)
        sum += filter.weights[i] * narrow[place(x, clamped(y * fineness - Filter::before + i), side)];
      picture[place(x, y, side)] = level_of(sum);
    }
  return picture;
}

}  // namespace

GreyPicture render(const PathfinderScene& scene) {
  FineCanvas canvas;
  for (const DashedPath& path : scene.paths)
    for (const Dash& each : path) canvas.draw_dash(each, path_thickness, path_brightness);
  for (const DashedPath& path : scene.distractors)
    for (const Dash& each : path) canvas.draw_dash(each, distractor_thickness, distractor_brightness);
  for (const Point& each : scene.discs) canvas.draw_disc(each, disc_radius, disc_brightness);
  return made_smaller(canvas);
}

}  // namespace chord
