// How a batch is cut into pieces, and which rank has which: the cut is the same for any number of ranks.
#pragma once

#include <cstdint>

namespace parallel {

struct Range {
  std::int64_t first, count;
};

struct Pieces {
  std::int64_t batch;  ///< sequences
  std::int64_t count;  ///< pieces, at most as many
  int ranks;           ///< at most as many

  std::int64_t begin(std::int64_t piece) const { return batch * piece / count; }
  Range sequences(std::int64_t piece) const { return {begin(piece), begin(piece + 1) - begin(piece)}; }

  std::int64_t first_of(int rank) const { return count * rank / ranks; }
  int owner(std::int64_t piece) const { return int(((piece + 1) * ranks + count - 1) / count - 1); }
  /// The sequences of all pieces that a rank has.
  Range share(int rank) const {
    const std::int64_t first = begin(first_of(rank));
    return {first, begin(first_of(rank + 1)) - first};
  }
  bool has_some(int rank, std::int64_t first, std::int64_t last) const {
    return first < first_of(rank + 1) && first_of(rank) < last;
  }
};

}  // namespace parallel
