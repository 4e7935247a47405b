#include "factorize/race.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace chord {
namespace {

// A race should be over in seconds whatever the size, so larger problems race for fewer iterations.
constexpr std::int64_t most_iterations = 300, fewest_iterations = 10;
constexpr double affordable_work = 1.5e9;  // multiplications of all factors, in the first round of one start
constexpr std::int64_t share = 4;          // of an iteration limit, at most a quarter
constexpr double share_of_time = 0.3;      // no racer starts after that

/// Of an iteration, in multiplications: a low rank takes its products one after the other, and slowly.
double work_of(const FitProblem& split) {
  constexpr double low_rank = 4;
  const double n = double(split.pattern->n());
  return double(split.weights()) * n + (split.rank > 0 ? low_rank * n * n * double(split.rank) : 0);
}

}  // namespace

template <class T>
Race<T>::Race(FitRun<T>& run, const Splits& splits, const LowRankStart* low_rank, std::int64_t round) : run_(run) {
  const FitOptions& options = run.options();
  std::int64_t with_factors = 0;
  for (const FitProblem& split : splits) with_factors += split.stored_factors > 0;
  const std::int64_t each = starts_of_each(options, std::size_t(with_factors));
  // Start after start, so that all splits have had a turn where time is short.
  for (std::int64_t start = 0; start < each; ++start)
    for (const FitProblem& split : splits) {
      if (split.stored_factors == 0) continue;
      const std::int64_t number = round * each + start;
      const std::vector<double> values =
          low_rank ? low_rank->parameters(split, options.seed, number) : start_parameters(split, options.seed, number);
      const std::vector<T> typed(values.begin(), values.end());
      auto parameters = std::make_unique<Scratch>(run.context(), typed.size() * sizeof(T));
      run.context().submit()->upload(parameters->template as<T>(), typed.data(), typed.size() * sizeof(T));
      constexpr double unknown = std::numeric_limits<double>::infinity();
      racers_.push_back({std::int32_t(racers_.size()), &split, std::move(parameters), unknown, unknown});
    }
  run.show_starts(std::int32_t(racers_.size()));
}

template <class T>
std::int64_t Race<T>::starts_of_each(const FitOptions& options, std::size_t splits) {
  if (options.resume) return 1;
  return std::min(options.starts,
                  std::max(kinds_of_starts, options.starts / std::int64_t(std::max<std::size_t>(splits, 1))));
}

template <class T>
std::int64_t Race<T>::first_round() const {
  const FitProblem& problem = *racers_.front().split;
  const double work = double(problem.parameters()) * double(problem.pattern->n());
  const auto starts = std::int64_t(racers_.size());
  auto affordable = std::int64_t(affordable_work / std::max(work, 1.0));
  if (several_splits()) affordable = std::min(affordable, affordable_in_time());
  const std::int64_t rounds = 1 + std::int64_t(std::ceil(std::log2(double(starts))));
  const std::int64_t limit = run_.options().iterations / share / (starts * rounds);
  return std::min(std::clamp(affordable, fewest_iterations, most_iterations), std::max<std::int64_t>(limit, 1));
}

template <class T>
bool Race<T>::several_splits() const {
  return racers_.front().split != racers_.back().split;
}

/// Iterations of all racers that should take no more than a tenth of the time, by what a core does in a second.
template <class T>
std::int64_t Race<T>::affordable_in_time() const {
  constexpr double tenth = 0.1, multiplications_in_a_second = 1.6e9;
  double most = 0;
  for (const Racer& racer : racers_) most = std::max(most, work_of(*racer.split));
  const double affordable =
      tenth * run_.options().seconds * multiplications_in_a_second / (double(racers_.size()) * std::max(most, 1.0));
  return std::int64_t(std::min(affordable, double(most_iterations)));
}

/// A fit of this split, with so many starts side by side at most.
template <class T>
void Race<T>::enter(const FitProblem& split, std::int64_t together) {
  if (entered_ == &split) return;
  fit_.reset();  // before there is another: memory
  fit_ = std::make_unique<Fit<T>>(run_, split, Objective<T>::sets_together(split, together));
  entered_ = &split;
}

template <class T>
std::optional<Stop> Race<T>::run() {
  std::optional<Stop> stop;
  double seconds = 0;  // of the last round
  for (std::int64_t round = first_round(); racers_.size() > 1 && !stop; round *= 2) {
    const double began = run_.limits().seconds();
    stop = run_round(round);
    seconds = run_.limits().seconds() - began;
    std::stable_sort(racers_.begin(), racers_.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    if (!keep_best_of_each_split() && !(racers_.size() == 2 && duel_goes_on(seconds))) keep_better_half();
  }
  const Racer& winner = racers_.front();
  run_.show_start(winner.number);
  if (stop) return stop;
  const bool in_company = entered_ == winner.split && fit_->together() > 1;
  if (in_company) entered_ = nullptr;
  enter(*winner.split, 1);
  if (in_company) fit_->begin_with_best(*winner.parameters, winner.value);
  return {};
}

/// The split with the most factors, which begins worse than those with a low rank and may end better, stays until two
/// are left.
template <class T>
void Race<T>::keep_better_half() {
  if (racers_.size() == 2 && several_splits() && racers_[1].expected() < racers_[0].expected())
    std::swap(racers_[0], racers_[1]);
  const std::size_t left = (racers_.size() + 1) / 2;
  const auto most_factors = std::max_element(racers_.begin(), racers_.end(), [](const Racer& a, const Racer& b) {
    return a.split->stored_factors < b.split->stored_factors;
  });
  if (left > 1 && std::size_t(most_factors - racers_.begin()) >= left) std::swap(racers_[left - 1], *most_factors);
  racers_.resize(left);
}

/// Splits are compared by their best starts: false where no other is left.
template <class T>
bool Race<T>::keep_best_of_each_split() {
  const std::size_t before = racers_.size();
  std::vector<Racer> best;
  for (Racer& racer : racers_)
    if (std::none_of(best.begin(), best.end(), [&](const Racer& other) { return other.split == racer.split; }))
      best.push_back(std::move(racer));
  if (best.size() == 1) {  // all are of one split
    for (Racer& racer : racers_)
      if (racer.parameters) best.push_back(std::move(racer));
    racers_ = std::move(best);
    return false;
  }
  racers_ = std::move(best);
  return racers_.size() < before;
}

/// Which of two splits is the better one shows late: they go on as long as the next round, twice as long, has time.
template <class T>
bool Race<T>::duel_goes_on(double seconds_of_round) const {
  const double limit = run_.options().seconds;
  return racers_[0].split != racers_[1].split && std::isfinite(limit) &&
         run_.limits().seconds() + 2 * seconds_of_round < share_of_time * limit;
}

/// Iterations are given such that all racers have the same time. Starts of a split run side by side where the device
/// takes them together.
template <class T>
std::optional<Stop> Race<T>::run_round(std::int64_t iterations) {
  const double until = share_of_time * run_.options().seconds;
  double most = 0;
  for (const Racer& racer : racers_) most = std::max(most, work_of(*racer.split));
  for (auto first = racers_.begin(); first != racers_.end();) {
    if (first != racers_.begin() && run_.limits().seconds() > until) break;  // the others stay where they are
    const FitProblem& split = *first->split;
    auto last = std::find_if(first, racers_.end(), [&](const Racer& racer) { return racer.split != &split; });
    enter(split, last - first);
    last = first + std::min<std::ptrdiff_t>(last - first, fit_->together());
    std::vector<typename Fit<T>::Start> starts;
    for (auto racer = first; racer != last; ++racer) starts.push_back({racer->parameters.get(), racer->number});
    if (const auto stop = fit_->descend_together(starts, std::int64_t(double(iterations) * most / work_of(split))))
      return stop;
    for (auto start = starts.begin(); first != last; ++start, ++first)
      first->before = std::exchange(first->value, start->value);
  }
  return {};
}

template <class T>
typename Fit<T>::Parameters Race<T>::winner() {
  return std::move(racers_.front().parameters);
}

template class Race<float>;
template class Race<double>;

}  // namespace chord
