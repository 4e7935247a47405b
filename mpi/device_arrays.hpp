// Tensors and patterns in a context that is somebody else's.
#pragma once

#include <chord/chord.hpp>
#include <vector>

namespace parallel {

inline chord::Tensor make_tensor(chord_context* context, chord_type type, const std::vector<std::int64_t>& shape) {
  chord_tensor* handle = nullptr;
  chord::check(chord_tensor_create(context, type, std::int32_t(shape.size()), shape.data(), &handle));
  return chord::Tensor(handle);
}

inline chord::Tensor make_filled(chord_context* context, chord_type type, const std::vector<std::int64_t>& shape,
                                 double value) {
  chord::Tensor tensor = make_tensor(context, type, shape);
  tensor.fill(value);
  return tensor;
}

inline chord::Pattern make_pattern(chord_context* context, std::int64_t n, const std::vector<std::int64_t>& offsets) {
  chord_pattern* handle = nullptr;
  chord::check(chord_pattern_create_custom(context, n, std::int64_t(offsets.size()), offsets.data(), &handle));
  return chord::Pattern(handle);
}

/// The offsets of a chord pattern.
inline std::vector<std::int64_t> chord_offsets(chord_context* context, std::int64_t n, std::int64_t links) {
  chord_pattern* handle = nullptr;
  chord::check(chord_pattern_create_chord(context, n, 2, links, &handle));
  return chord::Pattern(handle).offsets();
}

}  // namespace parallel
