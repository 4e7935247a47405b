#include "data/dashes.hpp"

#include <algorithm>
#include <cmath>

namespace chord {
namespace {

/// Which side of a dash a point is on.
double side(const Dash& dash, Point point) {
  return (dash.to.x - dash.from.x) * (point.y - dash.from.y) - (dash.to.y - dash.from.y) * (point.x - dash.from.x);
}

bool cross(const Dash& a, const Dash& b) {
  return side(a, b.from) * side(a, b.to) < 0 && side(b, a.from) * side(b, a.to) < 0;
}

}  // namespace

Point along(Point from, double angle, double distance) {
  return {from.x + distance * std::cos(angle), from.y + distance * std::sin(angle)};
}

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

double distance(Point point, const Dash& dash) {
  const double dx = dash.to.x - dash.from.x, dy = dash.to.y - dash.from.y;
  const double share = ((point.x - dash.from.x) * dx + (point.y - dash.from.y) * dy) / (dx * dx + dy * dy);
  const double at = std::clamp(share, 0.0, 1.0);
  return distance(point, Point{dash.from.x + at * dx, dash.from.y + at * dy});
}

double distance(const Dash& a, const Dash& b) {
  if (cross(a, b)) return 0;
  return std::min({distance(a.from, b), distance(a.to, b), distance(b.from, a), distance(b.to, a)});
}

double direction(const Dash& dash) { return std::atan2(dash.to.y - dash.from.y, dash.to.x - dash.from.x); }

double angle_between(const Dash& a, const Dash& b) {
  const double turn = std::abs(std::remainder(direction(a) - direction(b), pi));
  return std::min(turn, pi - turn);
}

}  // namespace chord
