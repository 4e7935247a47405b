#pragma once

#include "data/dataset.hpp"

namespace chord {

/// The sequences of one dataset, then those of another of the same task.
std::shared_ptr<const Dataset> joined(std::shared_ptr<const Dataset> first, std::shared_ptr<const Dataset> second);

}  // namespace chord
