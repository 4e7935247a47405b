// What is to be fitted: the numbers that decide about memory and work.
#pragma once

#include <memory>
#include <vector>

#include "factorize/constraint.hpp"
#include "factorize/fit_peers.hpp"
#include "matrix/matrix.hpp"
#include "operations/pattern.hpp"

namespace chord {

/// X, and the parts of X̂ with their sizes.
struct FitProblem {
  std::shared_ptr<const Pattern> pattern;
  const Matrix* matrix;
  Constraint constraint;
  std::int64_t stored_factors;
  std::int64_t rank = 0;                 ///< of the low-rank part
  std::int64_t entries = 0;              ///< single ones
  std::vector<double> scales = {};       ///< one for each rank (low_rank_term.hpp); where a fit begins
  std::shared_ptr<FitPeers> peers = {};  ///< null: this process does it all

  /// X's, of which this process may have some columns only.
  double norm() const { return has_columns() ? peers->whole()->norm : matrix->norm(); }
  bool given_sparse() const { return has_columns() ? peers->whole()->sparse : matrix->sparse() != nullptr; }
  bool has_columns() const { return peers && peers->whole(); }
  /// The same without the others.
  FitProblem alone() const {
    FitProblem copy = *this;
    copy.peers = nullptr;
    return copy;
  }
  /// X's rows and columns; the pattern has the larger of the two.
  MatrixShape shape() const { return matrix ? matrix->shape() : MatrixShape{pattern->n(), pattern->n()}; }
  /// Those of the factors.
  std::int64_t weights() const;
  /// Those of the low-rank part: two sides, or one where it is U Uᵀ.
  std::int64_t sides() const;
  /// All that a descent moves. (Of a low rank beside an X that is not square the rows beyond it stay 0.)
  std::int64_t parameters() const { return weights() + sides(); }
  kernels::Walk walk() const { return {int(stored_factors), traits(constraint).form, false}; }
};

}  // namespace chord
