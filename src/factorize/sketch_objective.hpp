// ½‖F G − Y‖² and its gradient, F being what factors make: how far they are from a matrix, seen through a sketch. G are
// random columns and Y what the matrix makes of them. A column of signs is met by every parameter, where a column of
// the matrix would be by few; with entries ±1/√columns the expectation is the distance itself.
#pragma once

#include <functional>

#include "factorize/descent_objective.hpp"
#include "factorize/problem.hpp"
#include "matrix/operator.hpp"
#include "operations/chain.hpp"

namespace chord {

template <class T>
class SketchObjective : public DescentObjective<T> {
 public:
  /// For so many columns, in whole panels of Operator::widest. `between` is called between two panels; what it throws
  /// ends the evaluation.
  SketchObjective(const FitProblem& problem, std::int64_t columns, std::function<void()> between);

  std::int64_t panels() const { return in_.shape[0]; }
  /// What F should make of the columns `in`.
  void set_panel(std::int64_t number, const Panel& in, const Panel& target);

  std::int64_t parameters() const override { return weights_.elements(); }
  void evaluate(const T* parameters, T* gradient) override;
  void keep_squares_at(double* place) override { squares_place_ = place; }
  std::int64_t squares_count() const override { return panels() * squares_of_panel_; }

  /// Memory it allocates, before it does.
  static std::size_t bytes(const FitProblem& problem, std::int64_t columns);

 private:
  void evaluate_panel(std::int64_t number);
  Tensor panel_of(const Tensor& all, std::int64_t number) const;

  std::shared_ptr<Context> context_;
  std::function<void()> between_;
  Tensor in_, minus_target_;    // [panels, n, width]
  Tensor weights_, gradient_;   // [factors, n, links]
  Tensor made_;                 // [n, width]
  std::optional<Tensor> tape_;  // [factors − 1, n, width]
  Chain factors_;
  std::int64_t squares_of_panel_;
  double* squares_place_ = nullptr;
};

}  // namespace chord
