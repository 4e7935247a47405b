// What generated tasks share: sequence i is a function of (seed, split, i) alone, and two of its positions are marked.
#pragma once

#include "common/streams.hpp"
#include "data/dataset.hpp"

namespace chord {

/// How long and how many the sequences are, unless somebody wants others.
inline constexpr std::int64_t usual_length = 128;
inline constexpr std::int64_t usual_count(Split split) { return split == Split::train ? 200'000 : 5'000; }

class GeneratedDataset : public Dataset {
 protected:
  struct Kind {
    Stream stream;
    std::int64_t features, vocabulary, classes;
  };
  GeneratedDataset(const DatasetRequest& request, const Kind& kind);

  /// The numbers of a sequence. Block 0 says which positions are marked; the others are for the positions.
  Random random_of(std::int64_t index) const;
  static constexpr std::int64_t first_block = 1;

  struct Marks {
    std::int64_t first, second;  ///< first < second
  };
  /// Each pair of positions is as likely.
  Marks marks_of(const Random& random) const;

 private:
  Stream stream_;
  Split split_;
  std::uint64_t seed_;
};

}  // namespace chord
