// A fit under way: descents from any parameters of one split, within the limits of the run, and the best that any of
// them found.
#pragma once

#include "common/random.hpp"
#include "factorize/descents.hpp"
#include "factorize/fit_run.hpp"
#include "factorize/objective.hpp"

namespace chord {

template <class T>
class Fit {
 public:
  using Parameters = typename FitRun<T>::Parameters;

  /// `together`: descents that there may be side by side.
  Fit(FitRun<T>& run, const FitProblem& split, std::int64_t together = 1);

  const FitProblem& problem() const { return split_; }
  const FitOptions& options() const { return run_.options(); }
  FitRun<T>& run() const { return run_; }
  const Limits& limits() const { return run_.limits(); }
  Context& context() const { return run_.context(); }

  static constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();
  /// Goes on from `parameters` for so many iterations and leaves there what it reached. Nothing where it ended for the
  /// sake of their number alone, or converged before; `forever` always tells why it ended.
  std::optional<Stop> descend(const Scratch& parameters, std::int64_t iterations);

  /// The same from several starts, as many as descents are side by side at most, each with its number in the progress
  /// and as if it were alone. Where one is told to stop, all are.
  struct Start {
    const Scratch* parameters;
    std::optional<std::int32_t> number = {};
    double value = std::numeric_limits<double>::infinity();  ///< what it reached
  };
  std::optional<Stop> descend_together(std::vector<Start>& starts, std::int64_t iterations);
  std::int64_t together() const { return descents_.count(); }

  /// The best parameters and their value, where another fit of this split has found them.
  void begin_with_best(const Scratch& parameters, double value);
  double best_value() const { return best_value_; }
  const T* best() const { return best_->template as<T>(); }
  void copy_best(const Scratch& to) const { copy(best(), to); }

  /// Single entries, where there are to be some, become the largest of what the best parameters leave over: the best
  /// there can be beside them.
  void renew_entries() { renew_entries_beside(best()); }
  /// The same beside other parameters, which are the best from then on.
  void renew_entries_beside(const T* parameters);
  /// The best parameters get noise, each relative to the size of all of their part's; a low-rank part, which follows
  /// the factors, gets none.
  void shake_best(const Scratch& to, double strength, const Random& random) const;

  /// Bytes of device memory that a fit takes, beside parameters of starts.
  static std::size_t bytes(const FitProblem& split, std::int64_t together = 1);

 private:
  void copy(const T* from, const Scratch& to) const;
  void keep_best(std::int64_t descent);

  /// How far a start has come.
  struct Way {
    std::optional<std::int32_t> number;
    double judged_error;
    std::int64_t iterations = 0;
    std::optional<Stop> stop = {};  ///< why it ended, where that is to be told
  };
  bool goes_on(std::int64_t descent, Way& way, std::int64_t iterations, bool lowered);

  FitRun<T>& run_;
  const FitProblem split_;
  Objective<T> objective_;
  Descents<T> descents_;
  Parameters best_;
  Entries entries_;
  double best_value_ = std::numeric_limits<double>::infinity();
  std::optional<Stop> stop_;  // of those that are under way
};

}  // namespace chord
