// Factorisations that ranks share: rank 0 has the matrix and says what is wanted, the others follow. X's columns are
// cut into pieces, the same for any number of ranks; each piece's part of the gradient is computed by one of them and
// summed in a fixed tree, and all take the same steps. Of a small X, each start of the race is fitted by one of them.
#pragma once

#include <chord/chord.hpp>

#include "mpi/peers.hpp"

namespace parallel {

/// What rank 0 wants fitted.
struct FitOrder {
  const chord_pattern* pattern = nullptr;
  const chord_matrix* matrix = nullptr;
  const chord_factorize_options* options = nullptr;  ///< may be null
  std::int64_t pieces = 0;                           ///< at least as many as there are ranks
};

/// At rank 0, while the others follow: the result, which is the caller's. Checkpoints are rank 0's. A rank that is lost
/// is PeersLost, one that fails alone PeerFailed: all can go on.
chord_factorization* lead_fit(Peers& peers, const FitOrder& order);
/// At the others: the next result, the same as rank 0's; null after end_fits(). `callback`: may be null, and asks all
/// for an end as rank 0's does.
chord_factorization* follow_fit(Peers& peers, chord_context* context, chord_factorize_callback callback);
/// At rank 0: there are no more.
void end_fits(Peers& peers);

}  // namespace parallel
