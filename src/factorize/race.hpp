// Which start of which split is the best? Every one gets some iterations, the better half twice as many, and so on
// until one is left (successive halving). Of several splits, each has its best start in the second round, and the last
// two go on for longer.
#pragma once

#include "factorize/fit.hpp"
#include "factorize/starts.hpp"

namespace chord {

template <class T>
class Race {
 public:
  /// Of the splits that have factors. `low_rank`: null where no split has such a part. `round`: races after the first
  /// have starts of their own.
  Race(FitRun<T>& run, const Splits& splits, const LowRankStart* low_rank, std::int64_t round);

  /// Why it had to end before one was left.
  std::optional<Stop> run();
  /// The fit of the best start's split, and the parameters that it has come to.
  Fit<T>& fit() { return *fit_; }
  typename Fit<T>::Parameters winner();

  static std::int64_t starts_of_each(const FitOptions& options, std::size_t splits);

 private:
  struct Racer {
    std::int32_t number;
    const FitProblem* split;
    typename Fit<T>::Parameters parameters;
    double value, before;  ///< at the end of its last round, and of the one before

    /// After two more rounds, each twice as long as the one before, if it goes on like this.
    double expected() const {
      const double ratio = value / before;
      return before > value && before < std::numeric_limits<double>::infinity() ? value * ratio * ratio : value;
    }
  };
  std::optional<Stop> run_round(std::int64_t iterations);
  bool keep_best_of_each_split();
  void keep_better_half();
  bool several_splits() const;
  std::int64_t affordable_in_time() const;
  bool duel_goes_on(double seconds_of_round) const;
  std::int64_t first_round() const;
  void enter(const FitProblem& split, std::int64_t together);

  FitRun<T>& run_;
  std::vector<Racer> racers_;  // those that are left, the best first
  const FitProblem* entered_ = nullptr;
  std::unique_ptr<Fit<T>> fit_;  // of the split that runs
};

}  // namespace chord
