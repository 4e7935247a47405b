// The low-rank part of X̂ while it is fitted: what it leaves of X, and the gradient with respect to it.
//
// Its parameters are Ũᵀ and then Ṽᵀ, [rank, n] each; the part is Ũ D Ṽᵀ with a fixed diagonal D = problem.scales, by
// which all parameters weigh alike however far apart the singular values are. Under a constraint it is made of them as
// X̂ is of P: ½(Ũ D Ṽᵀ + Ṽ D Ũᵀ), or Ũ D Ũᵀ without a Ṽ.
//
// With R = F − X′, F what the factors make and X′ = X − the part, the gradient is R Ṽ D and Rᵀ Ũ D: the factors are
// applied to as many columns as the rank has, and R itself, which the panels keep to themselves, is never needed.
#pragma once

#include "factorize/problem.hpp"
#include "operations/chain.hpp"

namespace chord {

template <class T>
class LowRankTerm {
 public:
  explicit LowRankTerm(const FitProblem& problem);

  /// X′, n² values in its own memory. `parameters` are the part's.
  const T* subtract_from(const T* x, const T* parameters);
  /// After subtract_from with the same parameters. `weights`: of the factors.
  void gradient(const T* weights, const T* parameters, T* gradient);

  static std::size_t bytes(const FitProblem& problem);

 private:
  /// [rank, n]: a side times ±D, the sign and share as `diagonal` has them.
  void scale(const Tensor& diagonal, const T* side, const Tensor& to);
  /// [n, rank] to [rank, n], or the other way round.
  void transpose(const T* from, std::int64_t rows, std::int64_t columns, T* to);
  /// gradient = R · side · D, or Rᵀ; half of both where X̂ is symmetric.
  void side_gradient(const T* side, T* gradient, bool straight, bool transposed);
  /// Nothing beyond X's own rows, or columns, is to move.
  void clear_beyond(std::int64_t rows, T* gradient);

  std::int64_t n() const { return problem_.pattern->n(); }
  const T* other_side(const T* parameters) const;

  FitProblem problem_;
  std::shared_ptr<Context> context_;
  Tensor rest_;                // X′
  Tensor added_, subtracted_;  // D as the factors' products are to be multiplied by, and −D as X′ is, [rank, rank]
  Tensor rows_, columns_;      // a side, [rank, n] and [n, rank]
  Tensor product_, other_;     // [n, rank]
  Tensor unused_;              // where an operation leaves what nobody asked for
  Tensor weights_;
  Chain factors_;
};

}  // namespace chord
