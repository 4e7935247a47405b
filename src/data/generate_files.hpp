// Files of tasks, made by their published rules: everything can be tried without a download.
#pragma once

#include <string>

#include "data/dataset.hpp"

namespace chord {

struct GenerateRequest {
  std::string task, output;     ///< the folder
  std::int64_t count = 10'000;  ///< sequences, of all splits together
  std::uint64_t seed = 0;
  Progress progress;  ///< may be empty
};

void generate_files(const GenerateRequest& request);

/// How many sequences of each split, in this order: a tenth for validation and for test each.
struct SplitCounts {
  std::int64_t train, validation, test;
};
SplitCounts split_counts(std::int64_t count);

}  // namespace chord
