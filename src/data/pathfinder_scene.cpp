#include "data/pathfinder_scene.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/grey_picture.hpp"

namespace chord {
namespace {

constexpr double pi = 3.141592653589793;
constexpr double margin = 2.0;        // of the picture, kept free
constexpr double clearance = 1.7;     // between dashes of which none follows the other
constexpr double crossing = pi / 5;   // the least angle at which paths may cross
constexpr double apart = 5.0;         // between the ends of paths, where discs may be
constexpr double sharpest = 0.85;     // turn from a dash to the next
constexpr double paths_apart = 12.0;  // at most, between the middles of the two paths
constexpr int tries = 12;

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

/// Which side of a dash a point is on.
double side(const Dash& dash, Point point) {
  return (dash.to.x - dash.from.x) * (point.y - dash.from.y) - (dash.to.y - dash.from.y) * (point.x - dash.from.x);
}

bool cross(const Dash& a, const Dash& b) {
  return side(a, b.from) * side(a, b.to) < 0 && side(b, a.from) * side(b, a.to) < 0;
}

double distance(const Dash& a, const Dash& b) {
  if (cross(a, b)) return 0;
  return std::min({distance(a.from, b), distance(a.to, b), distance(b.from, a), distance(b.to, a)});
}

double direction(const Dash& dash) { return std::atan2(dash.to.y - dash.from.y, dash.to.x - dash.from.x); }

/// Of the lines that two dashes are on, from 0 to π/2.
double angle_between(const Dash& a, const Dash& b) {
  const double turn = std::abs(std::remainder(direction(a) - direction(b), pi));
  return std::min(turn, pi - turn);
}

bool inside(Point point) {
  const double most = double(picture_side) - margin;
  return point.x >= margin && point.y >= margin && point.x <= most && point.y <= most;
}

/// A dash that comes near others only where it crosses them.
bool clear_of(const Dash& dash, const DashedPath& path, bool may_cross) {
  return std::all_of(path.begin(), path.end(), [&](const Dash& other) {
    return distance(dash, other) >= clearance || (may_cross && angle_between(dash, other) >= crossing);
  });
}

Dash reversed(const Dash& dash) { return {dash.to, dash.from}; }

/// Draws one path from its middle, turn by turn.
class PathDrawing {
 public:
  /// `others`: what it must be clear of, but may cross if so said.
  PathDrawing(Draws& draws, const std::vector<const DashedPath*>& others, bool may_cross)
      : draws_(draws), others_(others), may_cross_(may_cross) {}

  /// Nothing where there is no room.
  std::optional<DashedPath> draw(Point middle, int dashes) {
    const double angle = draws_.uniform(0, 2 * pi);
    const Dash first{along(middle, angle, -dash_length / 2), along(middle, angle, dash_length / 2)};
    if (!fits(first, {})) return {};
    DashedPath path{first};
    if (!grow(path, dashes / 2 + 1)) return {};
    std::reverse(path.begin(), path.end());
    std::transform(path.begin(), path.end(), path.begin(), reversed);
    if (!grow(path, dashes)) return {};
    return path;
  }

 private:
  bool fits(const Dash& dash, const DashedPath& own) const {
    return inside(dash.from) && inside(dash.to) && clear_of(dash, own, false) &&
           std::all_of(others_.begin(), others_.end(),
                       [&](const DashedPath* each) { return clear_of(dash, *each, may_cross_); });
  }

  /// Dashes at the end, until there are `count`. Curves go on in their direction for a while.
  bool grow(DashedPath& path, int count) {
    double turn = 0;
    while (int(path.size()) < count) {
      int left = tries;
      for (; left > 0; --left) {
        const double next = std::clamp(0.6 * turn + 0.35 * draws_.normal(), -sharpest, sharpest);
        // At the border, only another curve leads on.
        turn = left < tries / 2 ? draws_.uniform(-sharpest, sharpest) : next;
        const double angle = direction(path.back()) + turn;
        const Point from = along(path.back().to, angle, dash_gap);
        const Dash dash{from, along(from, angle, dash_length)};
        const DashedPath earlier(path.begin(), path.end() - 1);
        if (!fits(dash, earlier)) continue;
        path.push_back(dash);
        break;
      }
      if (left == 0) return false;
    }
    return true;
  }

  Draws& draws_;
  std::vector<const DashedPath*> others_;
  bool may_cross_;
};

Point anywhere(Draws& draws) {
  const double most = double(picture_side) - margin;
  const double x = draws.uniform(margin, most);
  return {x, draws.uniform(margin, most)};
}

bool ends_are_apart(const DashedPath& a, const DashedPath& b) {
  const Point ends[] = {a.front().from, a.back().to, b.front().from, b.back().to};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j)
      if (distance(ends[i], ends[j]) < apart) return false;
  const auto free_of = [](Point end, const DashedPath& path) {
    return std::all_of(path.begin(), path.end(), [&](const Dash& each) { return distance(end, each) >= clearance; });
  };
  return free_of(ends[0], b) && free_of(ends[1], b) && free_of(ends[2], a) && free_of(ends[3], a);
}

/// The two paths; drawn again until they fit.
void draw_paths(Draws& draws, int dashes, PathfinderScene& scene) {
  while (true) {
    const Point middle = anywhere(draws);
    const auto first = PathDrawing(draws, {}, true).draw(middle, dashes);
    if (!first) continue;
    for (int left = tries; left > 0; --left) {
      const Point other = along(middle, draws.uniform(0, 2 * pi), draws.uniform(0, paths_apart));
      const auto second = PathDrawing(draws, {&*first}, true).draw(other, dashes);
      if (!second || !ends_are_apart(*first, *second)) continue;
      scene.paths[0] = *first;
      scene.paths[1] = *second;
      return;
    }
  }
}

/// As many as there is room for.
void draw_distractors(Draws& draws, int dashes, PathfinderScene& scene) {
  const int wanted = 36 / dashes, each_dashes = dashes / 3;
  for (int i = 0; i < wanted; ++i) {
    std::vector<const DashedPath*> others = {&scene.paths[0], &scene.paths[1]};
    for (const DashedPath& each : scene.distractors) others.push_back(&each);
    for (int left = tries; left > 0; --left) {
      const auto path = PathDrawing(draws, others, false).draw(anywhere(draws), each_dashes);
      if (!path) continue;
      scene.distractors.push_back(*path);
      break;
    }
  }
}

void choose_discs(Draws& draws, PathfinderScene& scene) {
  const auto end_of = [](const DashedPath& path, bool last) { return last ? path.back().to : path.front().from; };
  scene.label = int(draws.integer(2));
  if (scene.label == 1) {
    const DashedPath& path = scene.paths[draws.integer(2)];
    scene.discs[0] = end_of(path, false);
    scene.discs[1] = end_of(path, true);
    return;
  }
  for (int i = 0; i < 2; ++i) scene.discs[i] = end_of(scene.paths[i], draws.integer(2) == 1);
}

}  // namespace

PathfinderScene draw_pathfinder(Draws& draws, int dashes) {
  PathfinderScene scene;
  draw_paths(draws, dashes, scene);
  draw_distractors(draws, dashes, scene);
  choose_discs(draws, scene);
  return scene;
}

}  // namespace chord
