// What generated tasks share: sequence i is a function of (seed, split, i) alone, and two of its positions are marked.
#pragma once

#include "common/streams.hpp"
#include "data/dataset.hpp"

namespace chord {

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
