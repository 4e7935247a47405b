// U Vᵀ, as the truncated SVD is one, or what a constraint makes of it.
#pragma once

#include "factorize/part.hpp"
#include "factorize/problem.hpp"

namespace chord {

class LowRank : public Part {
 public:
  /// [rows, rank] and [columns, rank]. X̂ has U Vᵀ; under CHORD_CONSTRAINT_SYMMETRIC U Vᵀ + V Uᵀ; under
  /// CHORD_CONSTRAINT_SEMIDEFINITE U Uᵀ, and v is u.
  LowRank(Tensor u, Tensor v, Constraint constraint) : u_(std::move(u)), v_(std::move(v)), constraint_(constraint) {}

  /// Of the sides that a fit found (low_rank_term.hpp) to X divided by `scale`.
  static std::shared_ptr<const LowRank> of_parameters(const FitProblem& split, const std::vector<double>& sides,
                                                      double scale, DataType type);
  /// Gives the split its scales, which follow from the part and the norm of the factors' rows, and returns the sides.
  std::vector<double> to_parameters(FitProblem& split, double row, double scale) const;

  PartSize size() const override {
    return {PartKind::low_rank, u_.shape[1], one_side() ? u_.elements() : u_.elements() + v_.elements()};
  }
  std::vector<NamedPartTensor> tensors() const override;
  void add(const Tensor& v, const Tensor& z, bool transposed) const override;

 private:
  bool one_side() const { return constraint_ == Constraint::semidefinite; }

  Tensor u_, v_;
  Constraint constraint_;
};

}  // namespace chord
