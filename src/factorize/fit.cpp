#include "factorize/fit.hpp"

#include <algorithm>
#include <cmath>

#include "factorize/leftover.hpp"

namespace chord {
namespace {

// Over how many iterations an improvement is judged.
constexpr std::int64_t judged_iterations = 1000;

}  // namespace

template <class T>
Fit<T>::Fit(FitRun<T>& run, const FitProblem& split)
    : run_(run),
      split_(split),
      objective_(split_, run.scale()),
      descent_(objective_, run.context(), Descent<T>::pairs_for(split.parameters()),
               [this] { return run_.limits().time_is_up(); }),
      best_(std::make_unique<Scratch>(run.context(), std::size_t(split.parameters()) * sizeof(T))),
      entries_(run.first_entries()) {
  if (!entries_.empty()) objective_.set_entries(entries_);
}

template <class T>
std::size_t Fit<T>::bytes(const FitProblem& split) {
  constexpr std::int64_t vectors = 3;  // its best, the run's, the result
  return Objective<T>::bytes(split, plan_fit(split, sizeof(T))) +
         Descent<T>::bytes(split.pattern->context()->device(), split.parameters(),
                           Descent<T>::pairs_for(split.parameters())) +
         std::size_t(vectors * split.parameters()) * sizeof(T);
}

template <class T>
void Fit<T>::copy(const T* from, const Scratch& to) const {
  context().submit()->copy(to.as<T>(), from, std::size_t(split_.parameters()) * sizeof(T));
}

template <class T>
typename Fit<T>::Parameters Fit<T>::upload(const std::vector<double>& values) const {
  const std::vector<T> typed(values.begin(), values.end());
  auto parameters = std::make_unique<Scratch>(context(), typed.size() * sizeof(T));
  context().submit()->upload(parameters->template as<T>(), typed.data(), typed.size() * sizeof(T));
  return parameters;
}

template <class T>
std::optional<Stop> Fit<T>::descend(const Scratch& parameters, std::int64_t iterations) {
  descent_.start(parameters.as<T>());
  const std::optional<Stop> stop = iterate(iterations);
  copy(descent_.parameters(), parameters);
  keep_best();
  return stop;
}

template <class T>
std::optional<Stop> Fit<T>::iterate(std::int64_t iterations) {
  // What converges before others have had their turn makes way for them.
  const auto converged = [&](Stop stop) { return iterations == forever ? std::optional<Stop>(stop) : std::nullopt; };
  double judged_error = run_.error_of(descent_.value());
  for (std::int64_t done = 0;; ++done) {
    if (run_.checkpoint_due()) keep_best();
    if (const auto stop = run_.interrupted(descent_.value(), descent_.gradient_norm())) return stop;
    if (done == iterations) return {};
    if (descent_.gradient_norm() <= options().gradient_tolerance) return converged(Stop::gradient);
    if (done > 0 && done % judged_iterations == 0) {
      const double error = run_.error_of(descent_.value());
      if (judged_error - error < options().improvement_tolerance * judged_error) return converged(Stop::improvement);
      judged_error = error;
    }
    if (!descent_.iterate()) return converged(Stop::gradient);
    run_.limits().count_iteration();
  }
}

template <class T>
void Fit<T>::keep_best() {
  if (!(descent_.value() < best_value_)) return;
  best_value_ = descent_.value();
  copy(descent_.parameters(), *best_);
  run_.offer(split_, best_value_, best(), entries_);
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
void Fit<T>::shake_best(const Scratch& to, Noise noise, const Random& random) const {
  copy(best(), to);
  add_noise(context(), best(), to.as<T>(), split_.weights(), noise, random);
}

template class Fit<float>;
template class Fit<double>;

}  // namespace chord
