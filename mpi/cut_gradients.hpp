// The gradients of a model whose sequences are cut into blocks: each block's model has its own, and those of parameters
// that all have become the sum over blocks.
#pragma once

#include <chord/chord.hpp>
#include <vector>

#include "mpi/cut_parameters.hpp"
#include "mpi/tree_sum.hpp"

namespace parallel {

class CutGradients {
 public:
  CutGradients(Peers& peers, const CutParameters& parameters, const Pieces& blocks, chord_type type);

  /// `own`: the models of the rank's blocks, in order.
  void add_up(const std::vector<chord::Model*>& own);

 private:
  using Message = TreeSum::Message;
  void take(const chord::Tensor& gradients, Message& into) const;
  void put(const Message& sum, const chord::Tensor& gradients, bool of_first) const;
  std::size_t bytes_of(std::int64_t count) const { return std::size_t(count) * number_size_; }

  const CutParameters& parameters_;
  const Pieces blocks_;
  const std::int64_t first_own_;
  const std::size_t number_size_;
  TreeSum tree_;
};

}  // namespace parallel
