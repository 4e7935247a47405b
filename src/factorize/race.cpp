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

// Several splits race for a share of the time that is counted in work, by what a core does in a second, so that the
// result does not depend on the clock. It is looked at where a machine is slower than that.
constexpr double multiplications_in_a_second = 4e9;
constexpr double share_of_first_round = 0.02;
constexpr double share_of_time = 0.3;  // no racer starts after that
// All starts stay until the former is over, two splits until the latter.
constexpr int round_of_starts = 1, last_round = 4;
constexpr double clear = 2;  // times as large a value is to be expected: nobody needs to see more of it

/// Of an iteration, in multiplications: a low rank takes its products one after the other, and slowly.
double work_of(const FitProblem& split) {
  constexpr double low_rank = 4;
  const double n = double(split.pattern->n());
  return double(split.weights()) * n + (split.rank > 0 ? low_rank * n * n * double(split.rank) : 0);
}

}  // namespace

template <class T>
double Race<T>::Racer::expected(double more) const {
  if (!(value < before && before < std::numeric_limits<double>::infinity() && value > 0)) return value;
  return value * std::pow(1 + more / work, std::log(value / before) / std::log(work / work_before));
}

template <class T>
Race<T>::Race(FitRun<T>& run, const Splits& splits, const LowRankStart* low_rank, std::int64_t round)
    : run_(run),
      peers_(splits.front().has_columns() ? nullptr : splits.front().peers.get()),
      began_(round > 0 ? run.limits().seconds() : 0),  // the first begins at once, whatever the clock says
      seconds_(run.options().seconds - began_) {
  const FitOptions& options = run.options();
  std::int64_t with_factors = 0;
  double most = 1;
  for (const FitProblem& split : splits) {
    with_factors += split.stored_factors > 0;
    most = std::max(most, work_of(split));
  }
  std::int64_t each = starts_of_each(options, std::size_t(with_factors));
  if (with_factors > 1) {  // what there is no time for is not begun
    const double affordable = work_of_first_round(double(with_factors)) / (most * double(fewest_iterations));
    each = std::int64_t(std::clamp(affordable, 1.0, double(each)));
  }
  // Start after start, so that all splits have had a turn where time is short.
  for (std::int64_t start = 0; start < each; ++start)
    for (const FitProblem& split : splits) {
      if (split.stored_factors == 0) continue;
      const std::int64_t number = round * each + start;
      const std::vector<double> values =
          low_rank ? low_rank->parameters(split, options.seed, number) : start_parameters(split, options.seed, number);
      constexpr double unknown = std::numeric_limits<double>::infinity();
      racers_.push_back(
          {std::int32_t(racers_.size()), &split, upload<T>(run.context(), values), unknown, unknown, 0, 0});
    }
  // A GPU has no short turns: it takes the starts of a split together.
  if (!run.context().device().cpu_like())
    std::stable_sort(racers_.begin(), racers_.end(), [](const Racer& a, const Racer& b) { return a.split < b.split; });
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
  if (several_splits()) {
    double most = 1;
    for (const Racer& racer : racers_) most = std::max(most, work_of(*racer.split));
    const double in_time = work_of_first_round(double(racers_.size())) / most;
    affordable = std::int64_t(std::min({double(affordable), in_time, double(most_iterations)}));
  }
  const std::int64_t rounds = 1 + std::int64_t(std::ceil(std::log2(double(starts))));
  const std::int64_t limit = run_.options().iterations / share / (starts * rounds);
  return std::min(std::clamp(affordable, fewest_iterations, most_iterations), std::max<std::int64_t>(limit, 1));
}

template <class T>
bool Race<T>::several_splits() const {
  return std::any_of(racers_.begin(), racers_.end(),
                     [&](const Racer& racer) { return racer.split != racers_.front().split; });
}

/// That each of so many racers may do.
template <class T>
double Race<T>::work_of_first_round(double racers) const {
  return share_of_first_round * seconds_ * multiplications_in_a_second / racers;
}

/// That the winner would have from now on; some more of the same where there is no limit.
template <class T>
double Race<T>::work_left() const {
  constexpr double unlimited = 15;
  const Racer& first = racers_.front();
  const double in_time = seconds_ * multiplications_in_a_second - spent_;
  const double of_iterations = double(run_.options().iterations - run_.limits().iterations()) * work_of(*first.split);
  const double left = std::max(0.0, std::min(in_time, of_iterations));
  return std::isfinite(in_time) ? left : std::min(left, unlimited * first.work);
}

/// A fit of this split, with so many starts side by side at most.
template <class T>
void Race<T>::enter(const FitProblem& split, std::int64_t together) {
  if (entered_ == &split) return;
  fit_.reset();  // before there is another: memory
  const FitProblem fitted = peers_ ? split.alone() : split;
  fit_ = std::make_unique<Fit<T>>(run_, fitted, sets_together(fitted, sizeof(T), together));
  entered_ = &split;
}

template <class T>
std::optional<Stop> Race<T>::run() {
  std::optional<Stop> stop;
  std::int64_t iterations = first_round();
  for (int round = 0; racers_.size() > 1 && !stop; ++round, iterations *= 2) {
    stop = run_round(iterations);
    const double left = several_splits() ? work_left() : 0;
    std::stable_sort(racers_.begin(), racers_.end(),
                     [&](const Racer& a, const Racer& b) { return a.expected(left) < b.expected(left); });
    keep_the_better(late() ? last_round : round);
  }
  const Racer& winner = racers_.front();
  run_.show_start(winner.number);
  if (stop) return stop;
  const bool fitted_otherwise = peers_ || (entered_ == winner.split && fit_->together() > 1);
  if (fitted_otherwise) entered_ = nullptr;
  peers_ = nullptr;
  enter(*winner.split, 1);
  if (fitted_otherwise) fit_->begin_with_best(*winner.parameters, winner.value);
  return {};
}

template <class T>
bool Race<T>::late() const {
  return run_.limits().seconds() > began_ + share_of_time * seconds_;
}

/// Of racers in order. Which of two splits is the better one shows late.
template <class T>
void Race<T>::keep_the_better(int round) {
  std::size_t left = (racers_.size() + 1) / 2;
  if (several_splits()) {
    if (round == round_of_starts) return keep_best_of_each_split();
    if (round == last_round) left = 1;
    if (round < round_of_starts || (racers_.size() == 2 && round < last_round && !decided())) return;
    if (left > 1) keep_most_factors_among(left);
  }
  racers_.resize(left);
}

/// The split with the most factors, which begins worse than those with a low rank and may end better, stays until two
/// are left.
template <class T>
void Race<T>::keep_most_factors_among(std::size_t first) {
  const auto most_factors = std::max_element(racers_.begin(), racers_.end(), [](const Racer& a, const Racer& b) {
    return a.split->stored_factors < b.split->stored_factors;
  });
  if (std::size_t(most_factors - racers_.begin()) >= first) std::swap(racers_[first - 1], *most_factors);
}

template <class T>
bool Race<T>::decided() const {
  const double left = work_left();
  return racers_[1].expected(left) > clear * racers_[0].expected(left);
}

/// Splits are compared by their best starts.
template <class T>
void Race<T>::keep_best_of_each_split() {
  std::vector<Racer> best;
  for (Racer& racer : racers_)
    if (std::none_of(best.begin(), best.end(), [&](const Racer& other) { return other.split == racer.split; }))
      best.push_back(std::move(racer));
  racers_ = std::move(best);
}

/// Those that this process runs, in their order.
template <class T>
std::vector<std::size_t> Race<T>::own_racers() const {
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < racers_.size(); ++i)
    if (!peers_ || peers_->has(peers_->piece_for(i, racers_.size()))) own.push_back(i);
  return own;
}

/// Such that all racers have the same time. What there is of a limit goes to the first: processes that are apart do not
/// know how far others have come.
template <class T>
std::vector<std::int64_t> Race<T>::iterations_of_each(std::int64_t iterations) const {
  double most = 0;
  for (const Racer& racer : racers_) most = std::max(most, work_of(*racer.split));
  std::int64_t left = run_.options().iterations - run_.limits().iterations();
  std::vector<std::int64_t> each;
  for (const Racer& racer : racers_) {
    each.push_back(std::int64_t(double(iterations) * most / work_of(*racer.split)));
    if (peers_) each.back() = std::min(each.back(), left);
    left -= each.back();
  }
  return each;
}

/// Starts of a split run side by side where the device takes them together.
template <class T>
std::optional<Stop> Race<T>::run_round(std::int64_t iterations) {
  const std::vector<std::size_t> own = own_racers();
  const std::vector<std::int64_t> each = iterations_of_each(iterations);
  std::vector<Outcome> outcomes(racers_.size());
  std::optional<Stop> stop;
  if (peers_) peers_->part();
  for (auto first = own.begin(); first != own.end() && !stop;) {
    if (first != own.begin() && late()) break;  // the others stay where they are
    const FitProblem& split = *racers_[*first].split;
    const std::int64_t most = each[*first];
    auto last = std::find_if(first, own.end(),
                             [&](std::size_t racer) { return racers_[racer].split != &split || each[racer] != most; });
    enter(split, last - first);
    last = first + std::min<std::ptrdiff_t>(last - first, fit_->together());
    std::vector<typename Fit<T>::Start> starts;
    for (auto racer = first; racer != last; ++racer)
      starts.push_back({racers_[*racer].parameters.get(), racers_[*racer].number});
    const std::int64_t before = run_.limits().iterations();
    stop = fit_->descend_together(starts, most);
    std::int64_t done = run_.limits().iterations() - before;
    for (const typename Fit<T>::Start& start : starts)
      outcomes[*first++] = {true, start.value, double(most) * work_of(split), std::exchange(done, 0), stop};
  }
  stop.reset();  // all are to have the same
  for (std::size_t i = 0; i < racers_.size(); ++i) {
    if (peers_) tell_all(i, outcomes[i]);
    if (!outcomes[i].ran) continue;
    Racer& racer = racers_[i];
    racer.before = std::exchange(racer.value, outcomes[i].value);
    racer.work_before = std::exchange(racer.work, racer.work + outcomes[i].work);
    spent_ += outcomes[i].work;
    if (!stop) stop = outcomes[i].stop;
  }
  return stop;
}

/// What the process that has run a racer knows of it, to all.
template <class T>
void Race<T>::tell_all(std::size_t number, Outcome& outcome) {
  constexpr double no_stop = -1;
  Racer& racer = racers_[number];
  const std::int64_t piece = peers_->piece_for(number, racers_.size());
  const auto size = std::size_t(racer.split->parameters());
  std::vector<double> values(size);
  if (peers_->has(piece)) values = download(run_.context(), racer.parameters->template as<T>(), std::int64_t(size));
  const double stop = outcome.stop ? double(*outcome.stop) : no_stop;
  for (const double value : {double(outcome.ran), outcome.value, outcome.work, double(outcome.iterations), stop})
    values.push_back(value);
  peers_->share(piece, values);
  if (!peers_->has(piece)) {
    const double* const found = &values[size];
    outcome = {found[0] != 0, found[1], found[2], std::int64_t(found[3]), {}};
    if (found[4] != no_stop) outcome.stop = Stop(std::int32_t(found[4]));
    values.resize(size);
    racer.parameters = upload<T>(run_.context(), values);
    run_.limits().count_iterations_of_others(outcome.iterations);
  }
  if (outcome.ran) run_.offer(*racer.split, outcome.value, racer.parameters->template as<T>(), run_.first_entries());
}

template <class T>
typename Fit<T>::Parameters Race<T>::winner() {
  return std::move(racers_.front().parameters);
}

template class Race<float>;
template class Race<double>;

}  // namespace chord
