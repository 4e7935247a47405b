// Which start of which split is the best? Every one gets some iterations, the better half twice as many, and so on
// until one is left (successive halving). Of several splits, each has its best start from the third round on, and they
// are compared by what is to be expected of them at the end of the time: those that have the SVD for a start begin
// lower. Processes that all have X share the starts of a round, each of which one of them fits by itself.
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
    double value, before;      ///< at the end of its last round, and of the one before
    double work, work_before;  ///< spent by then, in multiplications

    /// After so much more work, if it goes on like this: errors fall as a power of the time, more or less.
    double expected(double more) const;
  };
  /// What became of a racer in a round.
  struct Outcome {
    bool ran = false;
    double value = 0, work = 0;
    std::int64_t iterations = 0;  ///< with those of others that ran beside it
    std::optional<Stop> stop = {};
  };
  std::optional<Stop> run_round(std::int64_t iterations);
  std::vector<std::size_t> own_racers() const;
  std::vector<std::int64_t> iterations_of_each(std::int64_t iterations) const;
  void tell_all(std::size_t racer, Outcome& outcome);
  void keep_the_better(int round);
  void keep_best_of_each_split();
  void keep_most_factors_among(std::size_t first);
  bool several_splits() const;
  bool decided() const;
  bool late() const;
  double work_left() const;
  double work_of_first_round(double racers) const;
  std::int64_t first_round() const;
  void enter(const FitProblem& split, std::int64_t together);

  FitRun<T>& run_;
  FitPeers* peers_ = nullptr;  // those who share the starts, until one is left
  double began_, seconds_;     // the time when it began, and that there is from then on
  double spent_ = 0;           // work of all racers
  std::vector<Racer> racers_;  // those that are left, the best first
  const FitProblem* entered_ = nullptr;
  std::unique_ptr<Fit<T>> fit_;  // of the split that runs
};

}  // namespace chord
