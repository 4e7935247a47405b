#pragma once

#include "data/dataset.hpp"

namespace chord {

/// The adding problem (Hochreiter and Schmidhuber, "Long short-term memory"): pairs of a number from (−1, 1) and a
/// marker, which is 1 at two positions and else 0. The label is ½ plus a quarter of the sum of the two marked numbers.
std::shared_ptr<const Dataset> open_adding(const DatasetRequest& request);

}  // namespace chord
