// What a model has learnt, between rank 0's whole model and the models of blocks that ranks have: parameters, moments
// and step.
#pragma once

#include <chord/chord.hpp>
#include <vector>

#include "mpi/cut_parameters.hpp"
#include "mpi/peers.hpp"
#include "mpi/pieces.hpp"

namespace parallel {

/// `own`: the rank's, in order. `whole`: null but at rank 0.
void cut_state(Peers& peers, const CutParameters& parameters, const Pieces& blocks,
               const std::vector<chord::Model*>& own, chord_model* whole);
void join_state(Peers& peers, const CutParameters& parameters, const Pieces& blocks,
                const std::vector<chord::Model*>& own, chord_model* whole);

}  // namespace parallel
