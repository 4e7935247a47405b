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
  std::vector<Coroutine<std::optional<Stop>>> tasks;
  for (std::size_t i = 0; i < starts.size(); ++i) tasks.push_back(iterate(std::int64_t(i), starts[i], iterations));
  const std::vector<std::optional<Stop>> stops = descents_.run(std::move(tasks));
  for (std::size_t i = 0; i < starts.size(); ++i) {
    starts[i].value = descents_[std::int64_t(i)].value();
    copy(descents_.parameters(std::int64_t(i)), *starts[i].parameters);
    keep_best(std::int64_t(i));
  }
  const auto stopped = std::find_if(stops.begin(), stops.end(), [](const auto& stop) { return stop.has_value(); });
  return stopped == stops.end() ? std::nullopt : *stopped;
}

template <class T>
Coroutine<std::optional<Stop>> Fit<T>::iterate(std::int64_t number, Start start, std::int64_t iterations) {
  Descent& descent = descents_[number];
  co_await descents_.start(number, start.parameters->template as<T>());
  // What converges before others have had their turn makes way for them.
  const auto converged = [&](Stop stop) { return iterations == forever ? std::optional<Stop>(stop) : std::nullopt; };
  double judged_error = run_.error_of(descent.value());
  for (std::int64_t done = 0;; ++done) {
    if (start.number) run_.show_start(*start.number);
    if (run_.checkpoint_due()) keep_best(number);
    if (!stop_) stop_ = run_.interrupted(descent.value(), descent.gradient_norm());
    if (stop_) co_return stop_;
    if (done == iterations) co_return std::nullopt;
    if (descent.gradient_norm() <= options().gradient_tolerance) co_return converged(Stop::gradient);
    if (done > 0 && done % judged_iterations == 0) {
      const double error = run_.error_of(descent.value());
      if (judged_error - error < options().improvement_tolerance * judged_error) co_return converged(Stop::improvement);
      judged_error = error;
    }
    run_.limits().count_iteration();  // before it is done: others may begin theirs meanwhile
    if (!co_await descent.iterate()) co_return converged(Stop::gradient);
  }
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
