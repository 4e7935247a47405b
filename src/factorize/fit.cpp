#include "factorize/fit.hpp"

#include <algorithm>
#include <cmath>

#include "factorize/spread_scale.hpp"
#include "factorize/starts.hpp"
#include "operations/copy.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

// Steps a descent remembers: more make it better and slower, and take memory.
constexpr std::int64_t most_pairs = 12, fewest_pairs = 4;
constexpr std::int64_t history_bytes = std::int64_t(1) << 30;

// Over how many iterations an improvement is judged.
constexpr std::int64_t judged_iterations = 1000;

template <class T>
std::int64_t pairs_for(std::int64_t parameters) {
  return std::clamp(history_bytes / (2 * parameters * std::int64_t(sizeof(T))), fewest_pairs, most_pairs);
}

/// What to divide X by, so that the fit is of a matrix of norm 1. A stochastic X̂ has a scale of its own.
double scale_of(const FitProblem& problem) {
  const double norm = problem.matrix->norm();
  return problem.constraint == Constraint::stochastic || norm == 0 ? 1 : norm;
}

/// What every factor is multiplied by to multiply X̂ by `scale`.
double factor_scale(const FitProblem& problem, double scale) {
  return std::pow(scale, 1.0 / double(problem.walk().steps()));
}

std::vector<double> values_of(const Tensor& tensor) {
  std::vector<double> values(std::size_t(tensor.elements()));
  with_type(tensor.type, [&](auto zero) {
    std::vector<decltype(zero)> typed(values.size());
    copy_to_host(tensor, typed.data());
    std::copy(typed.begin(), typed.end(), values.begin());
  });
  return values;
}

}  // namespace

template <class T>
Fit<T>::Fit(const FitProblem& problem, const FitOptions& options)
    : problem_(problem),
      options_(options),
      context_(*problem.pattern->context()),
      scale_(scale_of(problem)),
      objective_(problem, scale_),
      descent_(objective_, context_, pairs_for<T>(problem.parameters()), [this] { return limits_.time_is_up(); }),
      best_(vector()),
      limits_(options),
      checkpoint_(options) {}

template <class T>
std::size_t Fit<T>::bytes(const FitProblem& problem, const FitOptions& options) {
  const std::int64_t vectors = (options.resume ? 1 : options.starts) + 2;  // each start's, the best, the result
  return Objective<T>::bytes(problem, plan_fit(problem, sizeof(T))) +
         Descent<T>::bytes(problem.parameters(), pairs_for<T>(problem.parameters())) +
         std::size_t(vectors * problem.parameters()) * sizeof(T);
}

template <class T>
typename Fit<T>::Parameters Fit<T>::vector() const {
  return std::make_unique<Scratch>(context_, std::size_t(problem_.parameters()) * sizeof(T));
}

template <class T>
void Fit<T>::copy(const T* from, const Scratch& to) const {
  context_.submit()->copy(to.as<T>(), from, std::size_t(problem_.parameters()) * sizeof(T));
}

template <class T>
typename Fit<T>::Parameters Fit<T>::upload(const std::vector<double>& values) const {
  const std::vector<T> typed(values.begin(), values.end());
  Parameters parameters = vector();
  context_.submit()->upload(parameters->as<T>(), typed.data(), typed.size() * sizeof(T));
  return parameters;
}

template <class T>
typename Fit<T>::Parameters Fit<T>::resumed() const {
  std::vector<double> values = values_of(options_.resume->weights());
  const double divisor = factor_scale(problem_, scale_);
  for (double& value : values) value /= divisor;
  weights_to_parameters(problem_.constraint, values);
  return upload(values);
}

template <class T>
double Fit<T>::error_of(double value) const {
  return std::sqrt(2 * value) * scale_;
}

template <class T>
double Fit<T>::relative(double error) const {
  const double norm = problem_.matrix->norm();
  return norm > 0 ? error / norm : 0;
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
  double judged_error = error_of(descent_.value());
  for (std::int64_t done = 0;; ++done) {
    if (const auto stop = interrupted()) return stop;
    if (done == iterations) return {};
    if (descent_.gradient_norm() <= options_.gradient_tolerance) return converged(Stop::gradient);
    if (done > 0 && done % judged_iterations == 0) {
      const double error = error_of(descent_.value());
      if (judged_error - error < options_.improvement_tolerance * judged_error) return converged(Stop::improvement);
      judged_error = error;
    }
    if (!descent_.iterate()) return converged(Stop::gradient);
    limits_.count_iteration();
  }
}

/// Writes the checkpoint when it is time, and tells whether a limit is reached.
template <class T>
std::optional<Stop> Fit<T>::interrupted() {
  const double now = limits_.seconds();
  if (checkpoint_.due(now)) {
    keep_best();
    checkpoint_.write(limits_, [this] { return result(Stop::cancelled); });
  }
  return limits_.reached(now, [&] { return progress(now); });
}

template <class T>
FitProgress Fit<T>::progress(double now) const {
  const double best = error_of(std::min(best_value_, descent_.value()));
  return {start_,
          std::int32_t(options_.resume ? 1 : options_.starts),
          limits_.iterations(),
          error_of(descent_.value()),
          best,
          relative(best),
          descent_.gradient_norm(),
          now};
}

template <class T>
void Fit<T>::keep_best() {
  if (!(descent_.value() < best_value_)) return;
  best_value_ = descent_.value();
  copy(descent_.parameters(), *best_);
}

template <class T>
Tensor Fit<T>::empty_weights() const {
  return Tensor::create(problem_.pattern->context(), options_.type,
                        {problem_.stored_factors, problem_.pattern->n(), problem_.pattern->links()});
}

template <class T>
FitRecord Fit<T>::record(Stop stop, double error) const {
  FitRecord record;
  if (options_.resume) record = options_.resume->record();
  record.iterations += limits_.iterations();
  record.seconds += limits_.seconds();
  record.error = error;
  record.relative_error = relative(error);
  record.stop = stop;
  record.seed = options_.seed;
  return record;
}

template <class T>
Factorization Fit<T>::result(Stop stop) {
  const Tensor weights = empty_weights();
  if (traits(problem_.constraint).weights == kernels::weights_free)
    context_.submit()->copy(weights.data<T>(), best(), weights.bytes());
  else
    objective_.weights(best(), weights.data<T>());
  if (problem_.constraint != Constraint::stochastic) spread_scale<T>(weights, factor_scale(problem_, scale_));
  return {problem_.pattern, weights, problem_.constraint, record(stop, error_of(best_value_))};
}

template <class T>
Factorization Fit<T>::zero() const {
  const Tensor weights = empty_weights();
  fill(weights, 0);
  return {problem_.pattern, weights, problem_.constraint, record(Stop::gradient, 0)};
}

template class Fit<float>;
template class Fit<double>;

}  // namespace chord
