#include "factorize/factorize.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/log.hpp"
#include "factorize/basin_hopping.hpp"
#include "factorize/factorize_operator.hpp"
#include "factorize/first_entries.hpp"
#include "factorize/race.hpp"
#include "factorize/resume.hpp"
#include "factorize/sparse_operator.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

/// What is computed of X must not overflow: X itself, scaled to norm 1, or the square of its norm where it cannot be.
template <class T>
void expect_norm(const FitProblem& problem) {
  const double largest = std::numeric_limits<T>::max(), norm = problem.norm();
  const double most = problem.constraint == Constraint::stochastic ? std::sqrt(largest) / 2 : largest;
  if (!(norm <= most))
    fail(Status::too_large, "the norm of the matrix is ", norm, "; expected at most ", most, " for a fit in ",
         8 * sizeof(T), " bits: divide the matrix by a number");
}

bool has_low_rank(const FitProblem& split) { return split.rank > 0; }
bool has_factors(const FitProblem& split) { return split.stored_factors > 0; }

/// Whether there is no time for X's decomposition: it has no end but its own.
bool too_long(const FitProblem& problem, double seconds) {
  constexpr double operations = 25, in_a_second = 2e10, share = 1.0 / 3;
  const double n = double(problem.pattern->n());
  return operations * n * n * n / in_a_second > share * seconds;
}

/// Where the low-rank parts of the splits begin. Without time or means for that, those that have one are left out,
/// where there are others.
std::optional<LowRankStart> low_rank_start(Splits& splits, const FirstEntries* first, double scale, double seconds) {
  if (std::none_of(splits.begin(), splits.end(), has_low_rank)) return {};
  const bool others = !std::all_of(splits.begin(), splits.end(), has_low_rank);
  const auto without = [&](const std::string& why) {
    log(LogLevel::warning, "no low-rank part is tried: " + why);
    splits.erase(std::remove_if(splits.begin(), splits.end(), has_low_rank), splits.end());
  };
  if (others && too_long(splits.front(), seconds)) {
    without("the decomposition of the matrix would take too much of the time");
    return {};
  }
  try {
    LowRankStart start = first ? LowRankStart(splits, first->rest, 1) : LowRankStart(splits, scale);
    for (FitProblem& split : splits) split = start.scaled(split);
    return start;
  } catch (const Error& error) {
    if (!others || error.status() != Status::unsupported) throw;
    without(error.what());
    return {};
  }
}

/// What a low rank alone can be is known at once.
template <class T>
void offer_low_rank_alone(FitRun<T>& run, const Splits& splits, const LowRankStart& start) {
  for (const FitProblem& split : splits) {
    if (has_factors(split)) continue;
    const auto parameters = upload<T>(run.context(), start.parameters(split, 0, 0));
    run.offer(split, start.value(split.rank), parameters->template as<T>(), run.first_entries());
  }
}

template <class T>
Stop go_on(FitRun<T>& run, const Factorization& from) {
  FitProblem split = run.splits().front();
  const std::vector<double> values = resumed_parameters(split, from, run.scale());
  Fit<T> fit(run, split);
  const auto parameters = upload<T>(run.context(), values);
  fit.renew_entries_beside(parameters->template as<T>());
  return BasinHopping<T>(fit).run(*parameters);
}

/// Whether a run that has ended so has time left that it is to use.
template <class T>
bool goes_on(const FitRun<T>& run, Stop stop) {
  const bool converged = stop == Stop::gradient || stop == Stop::improvement;
  return converged && run.options().whole_time && !run.exact();
}

/// Races, each with starts of its own, and what becomes of their winners, until a limit ends it; the first alone where
/// there is no time to be filled.
template <class T>
Stop search(FitRun<T>& run, const Splits& splits, const LowRankStart* low_rank) {
  for (std::int64_t round = 0;; ++round) {
    Race<T> race(run, splits, low_rank, round);
    if (const std::optional<Stop> stop = race.run()) return *stop;
    const Stop stop = BasinHopping<T>(race.fit()).run(*race.winner());
    if (!goes_on(run, stop)) return stop;
  }
}

template <class T>
Factorization run(const Splits& wanted, const FitOptions& options) {
  expect_norm<T>(wanted.front());
  FitRun<T> run(wanted, options);
  if (wanted.front().norm() == 0 && wanted.front().constraint != Constraint::stochastic)
    return zero_factorization(wanted.front(), options);
  if (options.resume && has_factors(wanted.front()))
    if (const Stop stop = go_on(run, *options.resume); !goes_on(run, stop)) return run.result(stop);
  Splits splits = wanted;
  std::optional<FirstEntries> first;
  if (splits.front().entries > 0) first = first_entries(splits, run.scale());
  if (first) run.begin_with(first->entries);
  const std::optional<LowRankStart> low_rank =
      low_rank_start(splits, first ? &*first : nullptr, run.scale(), options.seconds);
  if (low_rank) offer_low_rank_alone(run, splits, *low_rank);
  const bool done = run.exact() || std::none_of(splits.begin(), splits.end(), has_factors);
  return run.result(done ? Stop::gradient : search(run, splits, low_rank ? &*low_rank : nullptr));
}

}  // namespace

Factorization factorize(const Splits& splits, const FitOptions& wanted) {
  if (by_products(splits.front()))
    return factorize_operator(SparseOperator(splits.front().pattern->context(), *splits.front().matrix->sparse()),
                              splits, wanted);
  const FitOptions options = wanted.completed(splits.front());
  if (options.resume) check_resume(splits, *options.resume);
  std::optional<Factorization> result;
  with_type(options.type, [&](auto zero) { result = run<decltype(zero)>(splits, options); });
  return *result;
}

std::size_t factorize_memory(const Splits& splits, const FitOptions& wanted) {
  if (by_products(splits.front())) return factorize_operator_memory(splits, wanted);
  const FitOptions options = wanted.completed(splits.front());
  std::size_t fit = 0, starts = 0;
  with_type(options.type, [&](auto zero) {
    using T = decltype(zero);
    const auto racing = std::size_t(std::count_if(splits.begin(), splits.end(), has_factors));
    const std::int64_t each = Race<T>::starts_of_each(options, racing);
    for (const FitProblem& split : splits) {
      const FitProblem racing = split.has_columns() ? split : split.alone();
      fit = std::max({fit, Fit<T>::bytes(split), Fit<T>::bytes(racing, sets_together(racing, sizeof(T), each))});
      starts += std::size_t(each * split.parameters()) * sizeof(T);
    }
  });
  return fit + starts;
}

}  // namespace chord
