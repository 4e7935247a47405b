// The score of a batch that ranks share, the same for any number of them.
#pragma once

#include <chord/chord.h>

#include "mpi/peers.hpp"
#include "mpi/pieces.hpp"

namespace parallel {

/// Inputs, labels and lengths are those of the rank's share. Where a piece fails, so does the call at every rank.
chord_step_result shared_evaluation(Peers& peers, chord_model* model, const Pieces& pieces, const chord_tensor* inputs,
                                    const chord_tensor* labels, const chord_train_options& options);

}  // namespace parallel
