#include "factorize/fit.hpp"

#include <algorithm>
#include <cmath>

#include "factorize/leftover.hpp"
#include "factorize/noise.hpp"

namespace chord {
namespace {

// Over how many iterations an improvement is judged.
constexpr std::int64_t judged_iterations = 1000;

}  // namespace

template <class T>
Fit<T>::Fit(FitRun<T>& run, const FitProblem& split, std::int64_t together)
    : run_(run),
      split_(split),
      objective_(split_, run.scale(), together),
      descents_(objective_, run.context(), Descents<T>::pairs_for(split.parameters()),
                [this] { return run_.limits().time_is_up(); }),
      best_(std::make_unique<Scratch>(run.context(), std::size_t(split.parameters()) * sizeof(T))),
      entries_(run.first_entries()) {
  if (!entries_.empty()) objective_.set_entries(entries_);
}

template <class T>
std::size_t Fit<T>::bytes(const FitProblem& split, std::int64_t together) {
  constexpr std::int64_t vectors = 3;  // its best, the run's, the result
  return Objective<T>::bytes(split, plan_fit(split, sizeof(T)), together) +
         Descents<T>::bytes(split.pattern->context()->device(), split.parameters(),
                            Descents<T>::pairs_for(split.parameters()), together) +
         std::size_t(vectors * split.parameters()) * sizeof(T);
}

template <class T>
void Fit<T>::copy(const T* from, const Scratch& to) const {
  context().submit()->copy(to.as<T>(), from, std::size_t(split_.parameters()) * sizeof(T));
}

template <class T>
std::optional<Stop> Fit<T>::descend(const Scratch& parameters, std::int64_t iterations) {
  std::vector<Start> alone{{&parameters}};
  return descend_together(alone, iterations);
}

template <class T>
std::optional<Stop> Fit<T>::descend_together(std::vector<Start>& starts, std::int64_t iterations) {
  stop_.reset();
  std::vector<Coroutine<double>> beginnings;
  for (std::size_t i = 0; i < starts.size(); ++i)
    beginnings.push_back(descents_.start(std::int64_t(i), starts[i].parameters->template as<T>()));
  descents_.run(std::move(beginnings));
  std::vector<Way> ways;
  for (std::size_t i = 0; i < starts.size(); ++i)
    ways.push_back({starts[i].number, run_.error_of(descents_[std::int64_t(i)].value())});
  descents_.iterate(starts.size(), [&](std::size_t i, bool lowered) {
    return goes_on(std::int64_t(i), ways[i], iterations, lowered);
  });
  for (std::size_t i = 0; i < starts.size(); ++i) {
    starts[i].value = descents_[std::int64_t(i)].value();
    copy(descents_.parameters(std::int64_t(i)), *starts[i].parameters);
    keep_best(std::int64_t(i));
  }
  const auto stopped = std::find_if(ways.begin(), ways.end(), [](const Way& way) { return way.stop.has_value(); });
  return stopped == ways.end() ? std::nullopt : stopped->stop;
}

/// Whether a start is to have another iteration, after one that has lowered its value or has not.
template <class T>
bool Fit<T>::goes_on(std::int64_t number, Way& way, std::int64_t iterations, bool lowered) {
  const Descent& descent = descents_[number];
  // What converges before others have had their turn makes way for them.
  const auto converged = [&](Stop why) {
    if (iterations == forever) way.stop = why;
    return false;
  };
  if (!lowered) return converged(Stop::gradient);
  if (way.number) run_.show_start(*way.number);
  if (run_.checkpoint_due()) keep_best(number);
  if (!stop_) stop_ = run_.interrupted(descent.value(), descent.gradient_norm());
  if (stop_) {
    way.stop = stop_;
    return false;
  }
  if (way.iterations == iterations) return false;
  if (descent.gradient_norm() <= options().gradient_tolerance) return converged(Stop::gradient);
  if (way.iterations > 0 && way.iterations % judged_iterations == 0) {
    const double error = run_.error_of(descent.value());
    if (way.judged_error - error < options().improvement_tolerance * way.judged_error)
      return converged(Stop::improvement);
    way.judged_error = error;
  }
  run_.limits().count_iteration();  // before it is done: others may begin theirs meanwhile
  ++way.iterations;
  return true;
}

template <class T>
void Fit<T>::keep_best(std::int64_t descent) {
  if (!(descents_[descent].value() < best_value_)) return;
  best_value_ = descents_[descent].value();
  copy(descents_.parameters(descent), *best_);
  run_.offer(split_, best_value_, best(), entries_);
}

template <class T>
void Fit<T>::begin_with_best(const Scratch& parameters, double value) {
  best_value_ = value;
  copy(parameters.as<T>(), *best_);
}

template <class T>
void Fit<T>::renew_entries_beside(const T* parameters) {
  if (split_.entries == 0) return;
  Leftover left = leftover(split_, download(context(), parameters, split_.parameters()), run_.scale());
  if (parameters != best()) copy(parameters, *best_);
  entries_ = std::move(left.entries);
  objective_.set_entries(entries_);
  best_value_ = left.value;
  run_.offer(split_, best_value_, best(), entries_);
}

template <class T>
void Fit<T>::shake_best(const Scratch& to, double strength, const Random& random) const {
  copy(best(), to);
  add_noise(context(), best(), to.as<T>(), split_.weights(), strength, random);
}

template class Fit<float>;
template class Fit<double>;

}  // namespace chord
