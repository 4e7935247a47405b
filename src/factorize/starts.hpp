// Where a fit begins. Which start leads to a low error depends on the matrix, so there are several kinds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "factorize/splits.hpp"
#include "matrix/truncated_svd.hpp"

namespace chord {

/// How many kinds of starts there are; they take turns.
inline constexpr std::int64_t kinds_of_starts = 3;

/// Start `number` of a run: parameters of all factors, such that ‖X̂‖ is about 1.
std::vector<double> start_parameters(const FitProblem& problem, std::uint64_t seed, std::int64_t number);

/// The parameters that mean these weights.
void weights_to_parameters(Constraint constraint, std::vector<double>& values);

/// The diagonal of a low-rank part (low_rank_term.hpp) whose columns have these sizes, beside factors with rows of norm
/// `row`: such that the objective curves alike in all parameters.
std::vector<double> scales_beside(const FitProblem& problem, double row, const std::vector<double>& sizes);

/// The low-rank parts begin as what the truncated SVD of X is, the factors as what is to become of the rest.
class LowRankStart {
 public:
  /// X's decomposition, as far as the largest rank of the splits needs it; X is divided by `scale`.
  LowRankStart(const Splits& splits, double scale) : LowRankStart(splits, *splits.front().matrix, scale) {}
  /// The same of another matrix in X's place.
  LowRankStart(const Splits& splits, const Matrix& matrix, double scale);

  /// The split with its scales.
  FitProblem scaled(const FitProblem& split) const;
  /// Parameters of all parts of a split that has its scales.
  std::vector<double> parameters(const FitProblem& split, std::uint64_t seed, std::int64_t number) const;
  /// ½‖X − X̂‖² with the low-rank part alone.
  double value(std::int64_t rank) const;

 private:
  std::int64_t n_;
  std::vector<double> sizes_;         // of the terms, falling: singular values, or eigenvalues above 0
  std::vector<double> left_, right_;  // their unit vectors
  double beyond_;                     // squares of what no low-rank part of this form can be
};

}  // namespace chord
