// What a Pathfinder picture shows: two long paths of dashes, short ones that distract, and two discs.
#pragma once

#include <vector>

#include "common/draws.hpp"
#include "data/dashes.hpp"

namespace chord {

using DashedPath = std::vector<Dash>;  ///< in the order of the path

struct PathfinderScene {
  DashedPath paths[2];
  std::vector<DashedPath> distractors;
  Point discs[2];
  int label;  ///< 1: the discs are the two ends of one path; 0: the start of one and the end of the other
};

inline constexpr double dash_length = 2.8, dash_gap = 0.9;

/// `dashes`: of each of the two paths; the others have a third of them. Paths may cross each other, at a clear angle,
/// but never themselves; no other dash comes near enough to a path's end to be taken for the next.
PathfinderScene draw_pathfinder(Draws& draws, int dashes);

}  // namespace chord
