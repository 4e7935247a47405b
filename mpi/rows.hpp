// Some sequences of a tensor.
#pragma once

#include <chord/chord.hpp>

#include "mpi/pieces.hpp"

namespace parallel {

/// None of none.
inline chord::Tensor rows_of(const chord_tensor* tensor, const Range& rows) {
  if (!tensor) return {};
  chord_tensor_info info = CHORD_TENSOR_INFO_INIT;
  chord::check(chord_tensor_get_info(tensor, &info));
  info.shape[0] = rows.count;
  chord_tensor* handle = nullptr;
  chord::check(chord_tensor_view(tensor, info.rank, info.shape, info.strides, rows.first * info.strides[0], &handle));
  return chord::Tensor(handle);
}

/// The sequences of a piece, of tensors that have the share of the rank whose piece it is.
struct PieceOfShare {
  chord::Tensor inputs, labels, lengths;
  chord_train_options options;  ///< with these lengths

  PieceOfShare(const Pieces& pieces, int rank, std::int64_t piece, const chord_tensor* all_inputs,
               const chord_tensor* all_labels, const chord_train_options& all_options)
      : options(all_options) {
    const Range place = pieces.sequences(piece), rows{place.first - pieces.share(rank).first, place.count};
    inputs = rows_of(all_inputs, rows);
    labels = rows_of(all_labels, rows);
    lengths = rows_of(all_options.lengths, rows);
    options.lengths = lengths.get();
    options.first_sequence = place.first;
  }
};

}  // namespace parallel
