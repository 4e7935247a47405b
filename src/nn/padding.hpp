// Sequences that are shorter than the model's length: what is behind their end counts for nothing, because it is zero
// wherever it could be read.
#pragma once

#include "device/launch.hpp"

namespace chord {

/// [factors, sequences, rows, columns]
struct PaddedShape {
  std::int64_t factors, sequences, rows, columns;
};

/// Zeros in the rows from lengths[sequence] on.
template <class T>
void clear_padding(Queue& queue, const std::int32_t* lengths, kernels::View<T> x, const PaddedShape& shape) {
  launch<kernels::clear_padding, T>(queue, {.x = x,
                                            .lengths = lengths,
                                            .factors = shape.factors,
                                            .sequences = shape.sequences,
                                            .rows = shape.rows,
                                            .columns = shape.columns});
}

}  // namespace chord
