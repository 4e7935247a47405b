#include "factorize/factorize_operator.hpp"

#include <algorithm>
#include <cmath>

#include "common/log.hpp"
#include "factorize/fit_run.hpp"
#include "factorize/operator_fit.hpp"
#include "factorize/resume.hpp"
#include "matrix/lapack.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

// Where there is no time limit: turns of every split in the first round; twice as many in the next, and so on.
constexpr int turns_of_first_round = 3;
constexpr double share_of_round = 0.5;  // of the time that is left, while several splits are
constexpr int turns_in_vain = 3;        // with sketches as large as they may be

/// Splits race by halves, those with fewer factors first: others begin with what these have found.
template <class T>
class OperatorRace {
 public:
  OperatorRace(OperatorFit<T>& fit, const Splits& splits) : fit_(fit) {
    for (const FitProblem& split : splits)
      if (split.stored_factors > 0) splits_.push_back(split);
    std::sort(splits_.begin(), splits_.end(),
              [](const auto& a, const auto& b) { return a.stored_factors < b.stored_factors; });
  }

  Stop run() {
    enter_all();
    for (int turns = 2 * turns_of_first_round; racers_.size() > 1 && !fit_.exact(); turns *= 2) {
      std::stable_sort(racers_.begin(), racers_.end(),
                       [](const auto& a, const auto& b) { return a.estimate.value < b.estimate.value; });
      racers_.resize((racers_.size() + 1) / 2);
      if (racers_.size() == 1) break;
      const double each = slot(racers_.size());
      for (Candidate<T>& racer : racers_) spend(racer, each, turns);
    }
    return racers_.empty() ? Stop::gradient : go_on(std::move(racers_.front()));
  }

  /// Until a limit or convergence.
  Stop go_on(Candidate<T> racer) {
    fit_.offer(racer);
    if (racer.split.stored_factors == 0) return Stop::gradient;
    constexpr std::int64_t least = 3;
    const FitOptions& options = fit_.options();
    for (int in_vain = 0; !fit_.exact();) {
      const std::int64_t iterations = affordable(racer);
      if (iterations < least) return Stop::seconds;
      const double before = racer.estimate.value;
      const bool better = fit_.turn(racer, iterations);
      const double share = 1 - std::sqrt(racer.estimate.value / before);
      const bool helped = (better && share >= options.improvement_tolerance) || !fit_.at_most_columns(racer);
      in_vain = helped ? 0 : in_vain + 1;
      if (in_vain == turns_in_vain && !options.whole_time) return Stop::improvement;
    }
    return Stop::gradient;
  }

 private:
  double left() const { return fit_.options().seconds - fit_.limits().seconds(); }
  double slot(std::size_t racers) const { return share_of_round * left() / double(racers); }
  /// What a turn of a racer will take, by the last of another.
  static double seconds_of_turn(const Candidate<T>& racer, const Candidate<T>& other) {
    return other.work > 0 ? other.seconds * racer.next_work() / other.work : 0;
  }

  void enter_all() {
    racers_.reserve(splits_.size());  // a racer looks at the one before
    for (std::size_t i = 0; i < splits_.size() && !(i > 0 && fit_.exact()); ++i) {
      const double seconds = splits_.size() == 1 ? left() : slot(splits_.size() - i);
      Candidate<T> racer = fit_.start(splits_[i], racers_.empty() ? nullptr : &racers_.back());
      if (!racers_.empty() && seconds_of_turn(racer, racers_.back()) > seconds) {
        log(LogLevel::info, text(splits_[i].stored_factors, " factors and more are not tried: there is no time"));
        return;
      }
      fit_.show_start(std::int32_t(i), std::int32_t(splits_.size()));
      fit_.offer(racer);
      racers_.push_back(std::move(racer));
      if (splits_.size() > 1) spend(racers_.back(), seconds, turns_of_first_round);
    }
  }

  /// So many seconds, or turns where there is no limit of time; one turn at least.
  void spend(Candidate<T>& racer, double seconds, int turns) {
    const bool limited = std::isfinite(seconds);
    const double until = fit_.limits().seconds() + seconds;
    int in_vain = 0;
    for (int done = 0; (limited || done < turns) && in_vain < turns_in_vain && !fit_.exact(); ++done) {
      if (done > 0 && limited && fit_.limits().seconds() + seconds_of_turn(racer, racer) > until) return;
      in_vain = fit_.turn(racer) || !fit_.at_most_columns(racer) ? 0 : in_vain + 1;
    }
  }

  /// Iterations of a turn that ends before the time does.
  std::int64_t affordable(const Candidate<T>& racer) const {
    constexpr std::int64_t usual = OperatorFit<T>::usual_iterations;
    constexpr double most_of = 0.8;
    const double seconds = seconds_of_turn(racer, racer);
    if (!(seconds > left())) return usual;
    return std::int64_t(most_of * double(usual) * left() / seconds);
  }

  OperatorFit<T>& fit_;
  Splits splits_;
  std::vector<Candidate<T>> racers_;
};

/// Without LAPACK the splits that have a low rank are left out, where there are others.
Splits possible(const Splits& splits) {
  const auto has_low_rank = [](const FitProblem& split) { return split.rank > 0; };
  if (std::none_of(splits.begin(), splits.end(), has_low_rank)) return splits;
  try {
    lapack();
    return splits;
  } catch (const Error& error) {
    Splits others;
    std::remove_copy_if(splits.begin(), splits.end(), std::back_inserter(others), has_low_rank);
    if (others.empty() || error.status() != Status::unsupported) throw;
    log(LogLevel::warning, text("no low-rank part is tried: ", error.what()));
    return others;
  }
}

template <class T>
Stop search_splits(OperatorFit<T>& fit, const Splits& splits, const FitOptions& options) {
  try {
    OperatorRace<T> race(fit, splits);
    if (options.resume) return race.go_on(fit.resumed(splits.front(), *options.resume));
    const bool low_rank_alone = splits.back().stored_factors == 0;
    if (low_rank_alone) fit.offer(fit.start(splits.back(), nullptr));
    return low_rank_alone && fit.exact() ? Stop::gradient : race.run();
  } catch (const Interrupted& interrupted) {
    return interrupted.stop;
  }
}

template <class T>
Factorization run_on(const Operator& x, const Splits& splits, const FitOptions& options) {
  OperatorFit<T> fit(x, splits, options);
  if (fit.norm() == 0) return zero_factorization(splits.front(), options);
  return fit.result(search_splits(fit, splits, options));
}

}  // namespace

Factorization factorize_operator(const Operator& x, const Splits& splits, const FitOptions& wanted) {
  if (wanted.peers)
    fail(Status::unsupported, "there are peers, but an operator or a large sparse matrix is fitted by one process");
  const FitOptions options = wanted.completed(splits.front());
  if (options.resume) check_resume(splits, *options.resume);
  std::optional<Factorization> result;
  const Splits tried = possible(splits);
  with_type(options.type, [&](auto zero) { result = run_on<decltype(zero)>(x, tried, options); });
  return *result;
}

std::size_t factorize_operator_memory(const Splits& splits, const FitOptions& options) {
  std::size_t bytes = 0;
  with_type(options.type, [&](auto zero) { bytes = OperatorFit<decltype(zero)>::bytes(splits); });
  return bytes;
}

}  // namespace chord
