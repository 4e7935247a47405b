#include "data/pathfinder_scene.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/grey_picture.hpp"

namespace chord {
namespace {

constexpr double margin = 2.0;                               // of the picture, kept free
constexpr double clearance = 1.7;                            // between dashes of which none follows the other
constexpr double crossing = pi / 5;                          // the least angle at which paths may cross
constexpr double apart = 5.0;                                // between the ends of paths, where discs may be
constexpr double sharpest = 0.85;                            // turn from a dash to the next
constexpr double nearest_start = 6.0, farthest_start = 8.0;  // of the second path, from the centre
constexpr int tries = 12;
constexpr Point centre{picture_side / 2.0, picture_side / 2.0};

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

/// Draws one path from its start, turn by turn.
class PathDrawing {
 public:
  /// `others`: what it must be clear of, but may cross if so said.
  PathDrawing(Draws& draws, const std::vector<const DashedPath*>& others, bool may_cross)
      : draws_(draws), others_(others), may_cross_(may_cross) {}

  /// Nothing where there is no room.
  std::optional<DashedPath> draw(Point start, int dashes) {
    const Dash first{start, along(start, draws_.uniform(0, 2 * pi), dash_length)};
    if (!fits(first, {})) return {};
    DashedPath path{first};
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

/// The two paths, of which one starts in the centre and one near it; drawn again until they fit.
void draw_paths(Draws& draws, int dashes, PathfinderScene& scene) {
  while (true) {
    const auto first = PathDrawing(draws, {}, true).draw(centre, dashes);
    if (!first) continue;
    for (int left = tries; left > 0; --left) {
      const double angle = draws.uniform(0, 2 * pi), radius = draws.uniform(nearest_start, farthest_start);
      const auto second = PathDrawing(draws, {&*first}, true).draw(along(centre, angle, radius), dashes);
      if (!second || !ends_are_apart(*first, *second)) continue;
      scene.paths[0] = *first;
      scene.paths[1] = *second;
      return;
    }
  }
}

/// Up to as many as there are dashes for; fewer where there is no room.
void draw_distractors(Draws& draws, int dashes, PathfinderScene& scene) {
  const int most = 36 / dashes, each_dashes = dashes / 3;
  const int wanted = int(draws.integer(std::uint32_t(most + 1)));
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

/// On the start of a path, and on its end or that of the other.
void choose_discs(Draws& draws, PathfinderScene& scene) {
  scene.label = int(draws.integer(2));
  const std::uint32_t started = draws.integer(2), ended = scene.label == 1 ? started : 1 - started;
  scene.discs[0] = scene.paths[started].front().from;
  scene.discs[1] = scene.paths[ended].back().to;
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
