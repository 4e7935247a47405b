// What a result is the sum of, in numbers and in words.
#pragma once

#include <chord/chord.hpp>
#include <string>
#include <vector>

namespace factorize {

/// Stored factors, rank and entries; 0 where there are none.
struct PartSizes {
  int64_t factors = 0, rank = 0, entries = 0;

  bool factors_alone() const { return rank == 0 && entries == 0; }
  bool low_rank_alone() const { return factors == 0 && entries == 0; }
};

PartSizes sizes_of(const std::vector<chord_part_info>& parts);

/// "rank 27 + 2 factors + 5 entries", "8 factors".
std::string in_words(const PartSizes& parts, int32_t constraint);

}  // namespace factorize
