#include "factorize/fit_run.hpp"

#include <algorithm>
#include <cmath>

#include "factorize/leftover.hpp"
#include "factorize/low_rank.hpp"
#include "factorize/objective.hpp"
#include "factorize/single_entries.hpp"
#include "factorize/spread_scale.hpp"
#include "operations/copy.hpp"

namespace chord {
namespace {

/// What to divide X by, so that the fit is of a matrix of norm 1. A stochastic X̂ has a scale of its own.
double scale_of(const FitProblem& problem) {
  const double norm = problem.norm();
  return problem.constraint == Constraint::stochastic || norm == 0 ? 1 : norm;
}

}  // namespace

double factor_scale(const FitProblem& problem, double scale) {
  return std::pow(scale, 1.0 / double(problem.walk().steps()));
}

template <class T>
std::vector<double> download(Context& context, const T* values, std::int64_t count) {
  std::vector<T> typed(std::size_t(count), T(0));
  context.submit()->copy(typed.data(), values, typed.size() * sizeof(T));
  context.wait();
  return std::vector<double>(typed.begin(), typed.end());
}

template std::vector<double> download(Context&, const float*, std::int64_t);
template std::vector<double> download(Context&, const double*, std::int64_t);

template <class T>
std::unique_ptr<Scratch> upload(Context& context, const std::vector<double>& values) {
  const std::vector<T> typed(values.begin(), values.end());
  auto memory = std::make_unique<Scratch>(context, typed.size() * sizeof(T));
  context.submit()->upload(memory->template as<T>(), typed.data(), typed.size() * sizeof(T));
  return memory;
}

template std::unique_ptr<Scratch> upload<float>(Context&, const std::vector<double>&);
template std::unique_ptr<Scratch> upload<double>(Context&, const std::vector<double>&);

template <class T>
FitRun<T>::FitRun(const Splits& splits, const FitOptions& options)
    : splits_(splits),
      options_(options),
      context_(*splits.front().pattern->context()),
      scale_(scale_of(splits.front())),
      limits_(options),
      checkpoint_(options) {}

template <class T>
void FitRun<T>::offer(const FitProblem& split, double value, const T* parameters, const Entries& entries) {
  if (apart() || !(value < best_value_)) return;
  const std::size_t bytes = std::size_t(split.parameters()) * sizeof(T);
  if (!best_ || best_split_.parameters() != split.parameters()) best_ = std::make_unique<Scratch>(context_, bytes);
  best_split_ = split;
  best_value_ = value;
  best_entries_ = entries;
  context_.submit()->copy(best_->as<T>(), parameters, bytes);
}

template <class T>
bool FitRun<T>::exact() const {
  constexpr double rounding = 100 * double(std::numeric_limits<T>::epsilon());
  return relative(error_of(best_value_)) <= rounding;
}

template <class T>
double FitRun<T>::error_of(double value) const {
  return std::sqrt(2 * value) * scale_;
}

template <class T>
double FitRun<T>::relative(double error) const {
  const double norm = splits_.front().norm();
  return norm > 0 ? error / norm : 0;
}

template <class T>
std::optional<Stop> FitRun<T>::interrupted(double value, double gradient_norm) {
  const double now = limits_.seconds();
  if (checkpoint_due()) checkpoint_.write(limits_, [this] { return result(Stop::cancelled); });
  return limits_.reached(now, [&]() -> FitProgress {
    const double best = error_of(std::min(best_value_, value));
    return {start_, starts_, limits_.iterations(), error_of(value), best, relative(best), gradient_norm, now};
  });
}

template <class T>
FitRecord FitRun<T>::record(Stop stop, double error) const {
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
Tensor FitRun<T>::best_weights() const {
  const FitProblem& split = best_split_;
  const Tensor weights = Tensor::create(split.pattern->context(), options_.type,
                                        {split.stored_factors, split.pattern->n(), split.pattern->links()});
  if (traits(split.constraint).weights == kernels::weights_free)
    context_.submit()->copy(weights.data<T>(), best_->as<T>(), weights.bytes());
  else
    weights_of(split, best_->as<T>(), weights.data<T>());
  if (split.constraint != Constraint::stochastic) spread_scale<T>(weights, factor_scale(split, scale_));
  return weights;
}

template <class T>
Parts FitRun<T>::best_parts() const {
  const FitProblem& split = best_split_;
  const auto& context = split.pattern->context();
  Parts parts;
  if (split.rank > 0)
    parts.push_back(LowRank::of_parameters(split, download(context_, best_->as<T>() + split.weights(), split.sides()),
                                           scale_, options_.type));
  if (split.entries > 0) {
    Entries entries = best_entries_;
    for (SparseMatrix::Entry& entry : entries) entry.value *= scale_;
    parts.push_back(std::make_shared<SingleEntries>(context, options_.type, split.shape(), entries));
  }
  return parts;
}

template <class T>
Factorization FitRun<T>::result(Stop stop) {
  if (!std::isfinite(best_value_))
    fail(Status::too_large, "no start has an error that can be counted in ", 8 * sizeof(T), " bits");
  if (best_split_.entries > 0) {  // which are the best beside the rest now
    Leftover left = leftover(best_split_, download(context_, best_->as<T>(), best_split_.parameters()), scale_);
    best_entries_ = std::move(left.entries);
    best_value_ = left.value;
  }
  std::optional<Tensor> weights;
  if (best_split_.stored_factors > 0) weights = best_weights();
  return {best_split_.pattern, best_split_.shape(),    weights,
          best_parts(),        best_split_.constraint, record(stop, error_of(best_value_))};
}

Factorization zero_factorization(const FitProblem& wanted, const FitOptions& options) {
  FitProblem split = wanted;
  split.rank = split.entries = 0;
  if (split.stored_factors == 0) split.stored_factors = 1;
  const Tensor weights = Tensor::create(split.pattern->context(), options.type,
                                        {split.stored_factors, split.pattern->n(), split.pattern->links()});
  fill(weights, 0);
  FitRecord record;
  if (options.resume) record = options.resume->record();
  record.error = record.relative_error = record.standard_error = 0;
  record.stop = Stop::gradient;
  record.seed = options.seed;
  return {split.pattern, split.shape(), weights, {}, split.constraint, record};
}

template class FitRun<float>;
template class FitRun<double>;

}  // namespace chord
