#pragma once

#include "data/grey_picture.hpp"
#include "data/pathfinder_scene.hpp"

namespace chord {

/// A scene drawn finely and made smaller, which gives dashes soft edges and a faint halo. It has no more grey levels
/// than the preset's model has tokens.
GreyPicture render(const PathfinderScene& scene);

}  // namespace chord
