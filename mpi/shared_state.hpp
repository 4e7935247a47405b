// What a model of rank 0 has learnt, to the models of all ranks.
#pragma once

#include <chord/chord.h>

#include "mpi/peers.hpp"

namespace parallel {

void share_parameters(Peers& peers, chord_model* model);
/// Parameters, moments and steps: all that the next step depends on beside its batch.
void share_state(Peers& peers, chord_model* model);

}  // namespace parallel
