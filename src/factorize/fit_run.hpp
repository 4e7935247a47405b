// A run: its limits, its checkpoints, and the best that any of its fits found, whatever their split.
#pragma once

#include <limits>

#include "factorize/checkpoint.hpp"

namespace chord {

using Entries = std::vector<SparseMatrix::Entry>;

template <class T>
class FitRun {
 public:
  /// Parameters of a split, on the device.
  using Parameters = std::unique_ptr<Scratch>;

  FitRun(const Splits& splits, const FitOptions& options);

  const Splits& splits() const { return splits_; }
  const FitOptions& options() const { return options_; }
  Limits& limits() { return limits_; }
  Context& context() const { return context_; }
  /// X is divided by it.
  double scale() const { return scale_; }

  /// Single entries that every fit begins with.
  const Entries& first_entries() const { return first_entries_; }
  void begin_with(Entries entries) { first_entries_ = std::move(entries); }

  /// Keeps these parameters of a split, and entries as X is scaled, where their value is the lowest so far. While
  /// processes are apart nothing is kept: what they find is offered when all know it, in one order.
  void offer(const FitProblem& split, double value, const T* parameters, const Entries& entries);
  double best_value() const { return best_value_; }
  /// Whether what is left is rounding.
  bool exact() const;
  /// ‖X − X̂‖ for a value of the objective.
  double error_of(double value) const;

  /// Which start the progress is told to be of, and of how many.
  void show_start(std::int32_t number) { start_ = number; }
  void show_starts(std::int32_t count) { starts_ = count; }
  bool checkpoint_due() const { return !apart() && checkpoint_.due(limits_.seconds()); }
  /// Writes the checkpoint when it is time, and tells whether a limit is reached.
  std::optional<Stop> interrupted(double value, double gradient_norm);

  /// The best so far in X's scale, factors spread evenly.
  Factorization result(Stop stop);

 private:
  bool apart() const { return options_.peers && options_.peers->apart(); }
  Tensor best_weights() const;
  Parts best_parts() const;
  FitRecord record(Stop stop, double error) const;
  double relative(double error) const;

  const Splits& splits_;
  const FitOptions& options_;
  Context& context_;
  const double scale_;
  Limits limits_;
  Checkpoint checkpoint_;
  double best_value_ = std::numeric_limits<double>::infinity();
  FitProblem best_split_;
  Parameters best_;
  Entries best_entries_, first_entries_;
  std::int32_t start_ = 0, starts_ = 1;
};

/// The result for X = 0: parts that are 0, too.
Factorization zero_factorization(const FitProblem& wanted, const FitOptions& options);

/// Numbers in device memory.
template <class T>
std::vector<double> download(Context& context, const T* values, std::int64_t count);
template <class T>
std::unique_ptr<Scratch> upload(Context& context, const std::vector<double>& values);

/// What every factor is multiplied by to multiply what they make by `scale`.
double factor_scale(const FitProblem& problem, double scale);

}  // namespace chord
