// The kernels of a pretend GPU: those a GPU has, compiled for the host, to be run one point of the grid at a time.
// Alone this file's source knows how kernels are listed and what parameters they take.
#pragma once

#include <functional>
#include <vector>

#include "kernels/grid.hpp"

namespace chord {

struct PretendLaunch {
  std::vector<const void*> pointers;  ///< among the arguments: what the kernel may touch
  std::function<void()> run;          ///< the whole grid, the last point first: any order is legal on a GPU
};

/// A launch of entry number `entry` of kernels/entries.hpp with its arguments copied. Throws Status::compilation_failed
/// for one that no GPU has.
PretendLaunch pretend_launch(int entry, Grid grid, const void* const* leaves);

}  // namespace chord
