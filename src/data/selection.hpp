#pragma once

#include "data/dataset.hpp"

namespace chord {

/// `count` sequences of a dataset in its order: the first of them, or, with another seed than 0, a sample, of which
/// each is as likely. All of them where count is 0.
std::shared_ptr<const Dataset> selected(std::shared_ptr<const Dataset> dataset, std::int64_t count, std::uint64_t seed);

}  // namespace chord
