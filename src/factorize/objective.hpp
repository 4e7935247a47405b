// ½‖X − X̂‖² and its gradient, as a function of the parameters of M factors and of a low-rank part, on the device.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "device/repeated_work.hpp"
#include "factorize/descent_objective.hpp"
#include "factorize/fit_plan.hpp"
#include "factorize/low_rank_term.hpp"

namespace chord {

/// Queues the work: the weights that the factors' parameters mean, of so many sets.
template <class T>
void weights_of(const FitProblem& problem, const T* parameters, T* w, std::int64_t sets = 1);

template <class T>
class Objective : public DescentObjective<T> {
 public:
  /// X is copied to the device, divided by `scale`. `plan`: other than plan_fit's, for tests.
  Objective(const FitProblem& problem, double scale, std::int64_t sets = 1, std::optional<FitPlan> plan = {});

  std::int64_t parameters() const override { return problem_.parameters(); }
  std::int64_t sets() const override { return sets_.count; }
  void evaluate(const T* parameters, T* gradient) override;
  const double* squares() const { return squares_place_; }
  void keep_squares_at(double* place) override { squares_place_ = place; }
  void watch(const double* busy, std::int64_t apart) override { sets_ = {sets_.count, busy, apart}; }
  std::int64_t squares_count() const override;

  /// Single entries of X̂ from now on, as X is scaled: they are taken off X. Expects a dense X.
  void set_entries(const std::vector<SparseMatrix::Entry>& entries);

  /// Memory an objective allocates, before it does.
  static std::size_t bytes(const FitProblem& problem, const FitPlan& plan, std::int64_t sets);

 private:
  /// Rows of parameters: those of all factors.
  std::int64_t rows() const { return problem_.stored_factors * problem_.pattern->n(); }
  kernels::Columns<T> columns() const;
  void queue_evaluation(const T* parameters, T* gradient);
  void evaluate_fused(const T* w, const kernels::Columns<T>& x, double* squares);
  /// Of the columns from `first` to `last`; the first partial gradient is theirs.
  void evaluate_stepwise(const T* w, const kernels::Columns<T>& x, std::int64_t first, std::int64_t last,
                         double* squares);
  void evaluate_shared(const T* w, const kernels::Columns<T>& x);
  void evaluate_pieces(const T* w, const kernels::Columns<T>& x);
  void evaluate_pieces_stepwise(const T* w, const kernels::Columns<T>& x);
  void fetch(std::int64_t gradients, std::int64_t squares);

  FitProblem problem_;
  Context& context_;
  kernels::Sets sets_;
  FitPlan plan_;
  double scale_;
  Scratch x_, column_starts_, entry_rows_;  // x_: n² values, or those of the entries
  Scratch weights_, partial_, squares_, panels_;
  double* squares_place_;
  std::vector<T> on_host_;  // what is shared
  std::vector<double> squares_on_host_;
  std::optional<LowRankTerm<T>> low_rank_;

  /// Evaluations at a place, of which descents have but one.
  struct Evaluation {
    const T* parameters;
    T* gradient;
    RepeatedWork work;
  };
  std::unique_ptr<Evaluation> evaluation_;
};

}  // namespace chord
