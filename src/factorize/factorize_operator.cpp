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

constexpr int turns_to_enter = 3;          // of every split, where there is no time limit
constexpr double share_of_entering = 0.5;  // of the time that there is after the first low rank
constexpr int turns_in_vain = 3;           // with sketches as large as they may be

// A racer is large, so the last and the best of those before are all that is kept.
constexpr std::size_t most_racers = 2;
// What needs more is not tried where there is another way.
constexpr std::size_t most_bytes = std::size_t(7) << 29;

/// All splits have a turn, those with fewer factors first: others begin with what these have found. The best goes on.
template <class T>
class OperatorRace {
 public:
  OperatorRace(OperatorFit<T>& fit, const Splits& splits) : fit_(fit), began_(fit.limits().seconds()) {
    for (const FitProblem& split : splits)
      if (split.stored_factors > 0) splits_.push_back(split);
    std::sort(splits_.begin(), splits_.end(),
              [](const auto& a, const auto& b) { return a.stored_factors < b.stored_factors; });
  }

  Stop run() {
    enter_all();
    if (racers_.empty()) return Stop::gradient;
    return go_on(std::move(*std::min_element(racers_.begin(), racers_.end(), is_better)));
  }

  /// Until a limit or convergence.
  Stop go_on(Candidate<T> racer) {
    racers_.clear();
    fit_.offer(racer);
    if (racer.split.stored_factors == 0) return Stop::gradient;
    constexpr std::int64_t least = 3;
    const FitOptions& options = fit_.options();
    for (int in_vain = 0; !fit_.exact();) {
      const std::int64_t iterations = affordable(racer);
      if (iterations < least) return Stop::seconds;
      const double before = racer.value();
      const bool better = fit_.turn(racer, iterations);
      const double share = 1 - std::sqrt(racer.value() / before);
      const bool helped = (better && share >= options.improvement_tolerance) || !fit_.at_most_columns(racer);
      in_vain = helped ? 0 : in_vain + 1;
      if (in_vain == turns_in_vain && !options.whole_time) return Stop::improvement;
    }
    return Stop::gradient;
  }

 private:
  static bool is_better(const Candidate<T>& a, const Candidate<T>& b) { return a.value() < b.value(); }

  /// Of what there is for entering, for each of so many racers that are still to come.
  double slot(std::size_t racers) const {
    const double until = began_ + share_of_entering * (fit_.options().seconds - began_);
    return (until - fit_.limits().seconds()) / double(racers);
  }

  void enter_all() {
    for (std::size_t i = 0; i < splits_.size() && !(i > 0 && fit_.exact()); ++i) {
      const double seconds = splits_.size() == 1 ? fit_.seconds_left() : slot(splits_.size() - i);
      Candidate<T> racer = fit_.start(splits_[i], racers_.empty() ? nullptr : &racers_.back());
      if (!racers_.empty() && fit_.seconds_of_turn(racer) > seconds) {
        log(LogLevel::info, text(splits_[i].stored_factors, " factors and more are not tried: there is no time"));
        return;
      }
      fit_.show_start(std::int32_t(i), std::int32_t(splits_.size()));
      fit_.offer(racer);
      racers_.push_back(std::move(racer));
      if (splits_.size() > 1) spend(racers_.back(), seconds);
      leave_most_racers();
    }
  }

  /// The newest, which the next begins with, and the best of the others.
  void leave_most_racers() {
    if (racers_.size() <= most_racers) return;
    racers_.erase(std::max_element(racers_.begin(), racers_.end() - 1, is_better));
  }

  /// So many seconds, or some turns where there is no limit of time; one turn at least.
  void spend(Candidate<T>& racer, double seconds) {
    const bool limited = std::isfinite(seconds);
    const double until = fit_.limits().seconds() + seconds;
    int in_vain = 0;
    for (int done = 0; (limited || done < turns_to_enter) && in_vain < turns_in_vain && !fit_.exact(); ++done) {
      if (done > 0 && limited && fit_.limits().seconds() + fit_.seconds_of_turn(racer) > until) return;
      in_vain = fit_.turn(racer) || !fit_.at_most_columns(racer) ? 0 : in_vain + 1;
    }
  }

  /// Iterations of a turn that ends before the time does.
  std::int64_t affordable(const Candidate<T>& racer) const {
    constexpr std::int64_t usual = OperatorFit<T>::usual_iterations;
    constexpr double most_of = 0.8;
    const double seconds = fit_.seconds_of_turn(racer);
    if (!(seconds > fit_.seconds_left())) return usual;
    return std::int64_t(most_of * double(usual) * fit_.seconds_left() / seconds);
  }

  OperatorFit<T>& fit_;
  double began_;
  Splits splits_;
  std::vector<Candidate<T>> racers_;
};

/// Those that take little memory, or all where none does.
template <class T>
Splits small_enough(const Splits& splits) {
  Splits small;
  std::copy_if(splits.begin(), splits.end(), std::back_inserter(small),
               [](const FitProblem& split) { return OperatorFit<T>::bytes({split}, most_racers) <= most_bytes; });
  return small.empty() ? splits : small;
}

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
    if (options.resume) {
      Candidate<T> resumed = fit.resumed(splits.front(), *options.resume);
      if (resumed.split.stored_factors > 0) return race.go_on(std::move(resumed));
      fit.offer(resumed);
      return fit.exact() ? Stop::gradient : race.run();
    }
    const bool low_rank_alone = splits.back().stored_factors == 0;
    if (low_rank_alone) fit.offer(fit.start(splits.back(), nullptr));
    return low_rank_alone && fit.exact() ? Stop::gradient : race.run();
  } catch (const Interrupted& interrupted) {
    return interrupted.stop;
  }
}

template <class T>
Factorization run_on(const Operator& x, const Splits& wanted, const FitOptions& options) {
  const Splits splits = small_enough<T>(wanted);
  if (splits.size() < wanted.size())
    log(LogLevel::info,
        text(wanted.size() - splits.size(), " of ", wanted.size(),
             " ways to split the numbers are not tried: they take more memory than ", most_bytes >> 20, " MB"));
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
  with_type(options.type, [&](auto zero) {
    using T = decltype(zero);
    bytes = OperatorFit<T>::bytes(small_enough<T>(splits), most_racers);
  });
  return bytes;
}

}  // namespace chord
