// The parameters of a model whose sequences are cut into blocks, each of which has a model of its own length: those of
// positions are cut like the sequence, the head's are the first block's, all others are the same in every block.
#pragma once

#include <chord/chord.hpp>
#include <vector>

#include "mpi/model_text.hpp"

namespace parallel {

class CutParameters {
 public:
  /// `block`: a model of a block, `description` the whole one's.
  CutParameters(const chord::Model& block, const ModelText& description, std::int64_t blocks);

  std::int64_t whole_size() const { return whole_size_; }

  /// Numbers of a block, from those of the whole model, and back.
  template <class T>
  void cut(const std::vector<T>& whole, std::int64_t block, std::vector<T>& part) const;
  template <class T>
  void join(const std::vector<T>& part, std::int64_t block, std::vector<T>& whole) const;

  /// Runs of numbers in a block's model.
  struct Run {
    std::int64_t first, count;
  };
  /// Those that are the same in every block, whose gradients are summed.
  const std::vector<Run>& shared() const { return shared_; }
  std::int64_t shared_size() const;
  /// Those that count in the first block only; zero in others.
  const std::vector<Run>& of_first() const { return of_first_; }

 private:
  enum class Kind { shared, cut, of_first };
  struct Piece {
    Kind kind;
    std::int64_t rows, columns, first, whole_columns, whole_first;  // a matrix of each: cut by columns
  };
  template <class Move>
  void for_each_row(std::int64_t block, const Move& move) const;

  std::vector<Piece> pieces_;
  std::vector<Run> shared_, of_first_;
  std::int64_t whole_size_ = 0;
};

}  // namespace parallel
