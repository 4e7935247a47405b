// What a Pathfinder picture shows: two long paths of dashes, short ones that distract, and two discs.
#pragma once

#include <vector>

#include "common/draws.hpp"

namespace chord {

/// In pixels of the picture, from its upper left corner.
struct Point {
  double x, y;
};

struct Dash {
  Point from, to;
};
using DashedPath = std::vector<Dash>;  ///< in the order of the path

struct PathfinderScene {
  DashedPath paths[2];
  std::vector<DashedPath> distractors;
  Point discs[2];
  int label;  ///< 1: the discs are the two ends of one path; 0: an end of each
};

inline constexpr double dash_length = 2.6, dash_gap = 1.0;

/// `dashes`: of each of the two paths; the others have a third of them. Paths may cross each other, at a clear angle,
/// but never themselves; no other dash comes near enough to a path's end to be taken for the next.
PathfinderScene draw_pathfinder(Draws& draws, int dashes);

}  // namespace chord
