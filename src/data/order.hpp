#pragma once

#include "data/dataset.hpp"

namespace chord {

/// Temporal order (Hochreiter and Schmidhuber, "Long short-term memory"): tokens 0 to 3 at random, but at two positions
/// X = 4 or Y = 5. The class says which: XX 0, XY 1, YX 2, YY 3.
std::shared_ptr<const Dataset> open_order(const DatasetRequest& request);

}  // namespace chord
