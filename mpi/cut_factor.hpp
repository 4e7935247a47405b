// A factor on sequences that are cut into blocks, which ranks share: z = W v, and back. Before it, blocks are given
// what its links read of other blocks; on the way back, what was computed for those goes to them and is summed in one
// order.
//
// Weights and adjoints have more rows than a block, which are zero: a group of links is a pattern on a window longer
// than that, and rows behind the block's are nobody's.
#pragma once

#include <map>

#include "mpi/courier.hpp"
#include "mpi/link_groups.hpp"
#include "mpi/pieces.hpp"

namespace parallel {

class CutFactor {
 public:
  /// `blocks`: pieces of one sequence's rows, all equal. `columns`: of values.
  CutFactor(Peers& peers, chord_context* context, chord_type type, const Pieces& blocks,
            const std::vector<std::int64_t>& offsets, std::int64_t columns);

  /// Those of weights and adjoints.
  std::int64_t padded_rows() const { return padded_; }

  /// Values of the rank's blocks, in order.
  using Values = std::vector<const chord::Tensor*>;

  /// What other ranks need of these values, which stay as they are until the next flush.
  void send(const Values& values);
  /// out += W v for the rank's block `own`, after `send`; once for each block, in order, here or in gradient_weights.
  void product(const Values& values, std::size_t own, const chord::Tensor& weights, chord::Tensor& out);
  void gradient_weights(const Values& values, std::size_t own, const chord::Tensor& adjoint,
                        const chord::Tensor& weights_gradient);
  /// What a block's adjoint means for the values of all blocks; for the exchange.
  void gradient_values(std::size_t own, const chord::Tensor& weights, const chord::Tensor& adjoint);
  /// After that, for all blocks: their first rows become the gradients of their values.
  void exchange(const Values& adjoints);
  /// Ends what was begun: all ranks have what was sent.
  void flush() { courier_.flush(); }

  /// to += from, of as many rows.
  void add(const chord::Tensor& from, const chord::Tensor& to);

 private:
  struct Group {
    LinkGroup links;
    chord::Pattern pattern;
    chord::Tensor window;
    std::vector<chord::Tensor> gradients;  // of windows, one for each of the rank's blocks
  };

  const chord::Tensor& window(const Values& values, std::size_t own, std::size_t group);
  chord::Tensor columns_of(const chord::Tensor& weights, const Group& group) const;
  std::int64_t first_own() const { return blocks_.first_of(peers_.rank()); }
  std::int64_t own_count() const { return blocks_.first_of(peers_.rank() + 1) - first_own(); }
  bool is_own(std::int64_t block) const { return blocks_.owner(block) == peers_.rank(); }
  std::int64_t other(std::int64_t block, std::int64_t distance) const {
    return (block + distance + blocks_.count) % blocks_.count;
  }

  Peers& peers_;
  chord_context* context_;
  const Pieces blocks_;
  const std::int64_t rows_;
  std::int64_t padded_ = 0;
  std::vector<Group> groups_;
  std::vector<WindowPart> parts_;
  Courier courier_;
  chord::Tensor padded_values_, received_, ones_;
  std::map<std::int64_t, chord::Pattern> diagonals_;  // by their rows
};

}  // namespace parallel
