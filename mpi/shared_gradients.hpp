// The gradients of a batch that ranks share: each piece's are computed by one of them, and summed in a fixed tree; or
// each rank's share is computed in one go, and MPI adds up.
#pragma once

#include <chord/chord.hpp>
#include <exception>

#include "mpi/tree_sum.hpp"

namespace parallel {

struct SharedResult {
  double loss;           ///< the whole batch's mean
  std::int64_t correct;  ///< sequences
  std::int64_t asked;    ///< the greatest that any rank has asked for
};

enum class Sum {
  ordered,  ///< the same bits for any number of ranks
  fast      ///< for as many pieces as there are ranks
};

class SharedGradients {
 public:
  SharedGradients(Peers& peers, chord_model* model, Sum sum);

  /// Leaves the gradients of the whole batch in the model of every rank. Inputs, labels and lengths are those of the
  /// rank's share; of `options`, those are set here that tell which part of a step it is. Where a piece fails, so does
  /// the call at every rank: with the piece's own error where it was, with PeersLost elsewhere.
  SharedResult compute(const Pieces& pieces, const chord_tensor* inputs, const chord_tensor* labels,
                       const chord_train_options& options, std::int64_t asked);

 private:
  /// What is sent: a head, and gradients of the model's type behind it.
  struct Head {
    double loss;  // sum over sequences
    std::int64_t correct, asked;
    std::int64_t failed;  // 1 + the rank at which a piece has failed; 0: none has
  };
  using Message = TreeSum::Message;
  struct Batch {
    const Pieces& pieces;
    const chord_tensor *inputs, *labels;
    const chord_train_options& options;
    std::int64_t asked;
  };

  void try_piece(const Batch& batch, std::int64_t piece, Message& into);
  void compute_piece(const Batch& batch, std::int64_t piece, Message& into);
  const Message& sum_of_shares(const Batch& batch);
  static void add(Head& sum, const Head& other);
  void add(Message& sum, const Message& other) const;
  static Head& head(Message& message) { return *reinterpret_cast<Head*>(message.data()); }
  static const Head& head(const Message& message) { return *reinterpret_cast<const Head*>(message.data()); }

  Peers& peers_;
  chord_model* model_;
  chord::Tensor gradients_;
  chord_tensor_info info_;
  const Sum sum_;
  TreeSum tree_;
  Message share_;
  std::exception_ptr failure_;  // of a piece of this batch
};

}  // namespace parallel
