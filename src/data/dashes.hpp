// Dashes in a plane: where they are and how near each other.
#pragma once

namespace chord {

inline constexpr double pi = 3.141592653589793;

/// In pixels of a picture, from its upper left corner.
struct Point {
  double x, y;
};

struct Dash {
  Point from, to;
};

/// The point in this direction and distance.
Point along(Point from, double angle, double distance);

double distance(Point a, Point b);
double distance(Point point, const Dash& dash);
double distance(const Dash& a, const Dash& b);  ///< 0 where they cross

double direction(const Dash& dash);

/// Of the lines that two dashes are on, from 0 to π/2.
double angle_between(const Dash& a, const Dash& b);

}  // namespace chord
