// One sequence to look at, wherever it comes from.
#pragma once

#include <chord/chord.hpp>
#include <optional>
#include <string>
#include <vector>

namespace train {

struct Sequence {
  int64_t length = 0, features = 0;  ///< positions; reals at each, 0 for tokens
  std::vector<int32_t> tokens;       ///< [length]
  std::vector<float> reals;          ///< [length, features], where there are no tokens
  std::optional<double> label;

  const void* data() const { return features > 0 ? static_cast<const void*>(reals.data()) : tokens.data(); }
};

/// Throws unless the dataset has this index.
Sequence read_sequence(const chord::Dataset& data, int64_t index);

/// Sequence `index` of an npy file as chord-train generate writes it, [count, N] or [count, N, features], or of one
/// sequence alone. Throws unless it fits the model.
Sequence read_sequence(chord::Context& context, const std::string& path, const chord_model_info& model, int64_t index);

}  // namespace train
