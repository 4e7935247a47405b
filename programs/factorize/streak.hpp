// Why X̂ may be worse along the diagonal, or parallel to it, than elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace factorize {

/// Entries at one distance to the right of the diagonal, counted around the edge, where X − X̂ is largest.
struct Streak {
  std::int64_t distance;
  double times;  ///< as large as at half of the distances
  double ways,
      usual_ways;  ///< from row to column, a link of each factor at a time: there, and at half of the distances
};

/// Nothing where no distance stands out, or the ways are no reason for it.
std::optional<Streak> find_streak(std::int64_t n, const std::vector<double>& residual,
                                  const std::vector<std::int64_t>& offsets, std::int64_t factors);

}  // namespace factorize
