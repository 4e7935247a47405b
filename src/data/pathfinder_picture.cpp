#include "data/pathfinder_picture.hpp"

#include <algorithm>
#include <cmath>

namespace chord {
namespace {

constexpr double pi = 3.141592653589793;
constexpr int fineness = 4, side = int(picture_side), fine_side = fineness * side;
constexpr double path_brightness = 0.86, path_thickness = 0.8;
constexpr double distractor_brightness = 1.0, distractor_thickness = 0.95;
constexpr double disc_brightness = 0.95, disc_radius = 1.5;
constexpr int levels = 225;

/// Brightness from 0 to 1, row by row.
class FineCanvas {
 public:
  FineCanvas() : values_(std::size_t(fine_side * fine_side)) {}

  /// All that is no further than `radius` from the line between two points.
  void draw(Point from, Point to, double radius, double brightness) {
    const auto first = [&](double a, double b) { return std::max(0, int((std::min(a, b) - radius) * fineness) - 1); };
    const auto last = [&](double a, double b) {
      return std::min(fine_side - 1, int((std::max(a, b) + radius) * fineness) + 1);
    };
    for (int y = first(from.y, to.y); y <= last(from.y, to.y); ++y)
      for (int x = first(from.x, to.x); x <= last(from.x, to.x); ++x) {
        double& value = values_[std::size_t(y * fine_side + x)];
        if (squared_distance({(x + 0.5) / fineness, (y + 0.5) / fineness}, from, to) <= radius * radius)
          value = std::max(value, brightness);
      }
  }

  double operator()(int x, int y) const { return values_[std::size_t(y * fine_side + x)]; }

 private:
  static double squared_distance(Point point, Point from, Point to) {
    const double dx = to.x - from.x, dy = to.y - from.y, square = dx * dx + dy * dy;
    const double share = square > 0 ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / square : 0;
    const double at = std::clamp(share, 0.0, 1.0), x = from.x + at * dx - point.x, y = from.y + at * dy - point.y;
    return x * x + y * y;
  }

  std::vector<double> values_;
};

/// Lanczos' filter of three lobes at fine pixels, from the first that belongs to a pixel's window.
struct Filter {
  static constexpr int lobes = 3, size = 2 * lobes * fineness, before = size / 2 - fineness / 2;
  Filter() {
    double sum = 0;
    for (int i = 0; i < size; ++i) sum += weights[i] = at((i + 0.5 - size / 2) / fineness);
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
        narrow[std::size_t(y * side + x)] += filter.weights[i] * canvas(clamped(x * fineness - Filter::before + i), y);
  GreyPicture picture;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      double sum = 0;
      for (int i = 0; i < Filter::size; ++i)
        sum += filter.weights[i] * narrow[std::size_t(clamped(y * fineness - Filter::before + i) * side + x)];
      picture[std::size_t(y * side + x)] = level_of(sum);
    }
  return picture;
}

}  // namespace

GreyPicture render(const PathfinderScene& scene) {
  FineCanvas canvas;
  for (const DashedPath& path : scene.paths)
    for (const Dash& each : path) canvas.draw(each.from, each.to, path_thickness / 2, path_brightness);
  for (const DashedPath& path : scene.distractors)
    for (const Dash& each : path) canvas.draw(each.from, each.to, distractor_thickness / 2, distractor_brightness);
  for (const Point& each : scene.discs) canvas.draw(each, each, disc_radius, disc_brightness);
  return made_smaller(canvas);
}

}  // namespace chord
