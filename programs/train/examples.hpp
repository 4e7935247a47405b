// Sequences of the test set to look at: some that were answered rightly, some that were not.
#pragma once

#include <vector>

#include "attention/sight.hpp"

namespace train {

struct Example {
  int64_t index;  ///< in the dataset
  Sight sight;
};

/// A few of each, evenly spread over the dataset, so that they stand for all; the right ones first.
std::vector<Example> examples_of(Observer& observer, const chord::Dataset& data, const std::vector<Answer>& answers);

}  // namespace train
