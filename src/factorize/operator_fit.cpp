#include "factorize/operator_fit.hpp"

#include <algorithm>
#include <cmath>

#include "factorize/descents.hpp"
#include "factorize/fit_run.hpp"
#include "factorize/low_rank.hpp"
#include "factorize/real_type.hpp"
#include "factorize/sketch_objective.hpp"
#include "factorize/spread_scale.hpp"
#include "operations/copy.hpp"

namespace chord {
namespace {

// Columns that estimate the error while it runs; those of the result are others, and more.
constexpr std::int64_t held_out_columns = Operator::widest, columns_of_result = 2 * Operator::widest;
// A sketch has several columns for each number in a row of the factors, within these bounds and its memory.
constexpr std::int64_t columns_for_a_number = 4, fewest_columns = 2 * Operator::widest,
                       largest_sketch = std::int64_t(1) << 27;
constexpr int refinements_at_first = 2;
constexpr double disturbance = 0.01;  // of factors that begin as the identity

std::int64_t in_panels(std::int64_t columns) {
  return (columns + Operator::widest - 1) / Operator::widest * Operator::widest;
}

LowRankFactors leading_columns(const LowRankFactors& part, std::int64_t rank) {
  return {leading_columns(part.u, rank), leading_columns(part.v, rank)};
}

Panel from_tensor(const Tensor& tensor, double factor) {
  Panel panel(tensor.shape[0], tensor.shape[1]);
  const std::vector<double> values = to_float64(tensor);
  std::transform(values.begin(), values.end(), panel.values.begin(), [&](double value) { return value * factor; });
  return panel;
}

Tensor to_tensor(const std::shared_ptr<Context>& context, DataType type, const Panel& panel, double factor) {
  LapackVector values = panel.values;
  for (double& value : values) value *= factor;
  const Tensor tensor = Tensor::create(context, type, {panel.n, panel.columns});
  copy_from_host(values, tensor);
  return tensor;
}

/// Factors that make what `last` do: these, applied last, after nearly the identity.
template <class T>
std::vector<T> grown(const FitProblem& split, const std::vector<T>& last, const Random& random) {
  const std::int64_t links = split.pattern->links();
  std::vector<T> weights(std::size_t(split.weights()));
  const std::size_t first = weights.size() - last.size();
  for (std::size_t i = 0; i < first; ++i)
    weights[i] = T(double(i % std::size_t(links) == 0) + disturbance * random.normal(i));
  std::copy(last.begin(), last.end(), weights.begin() + std::ptrdiff_t(first));
  return weights;
}

}  // namespace

template <class T>
OperatorFit<T>::OperatorFit(const Operator& x, const Splits& splits, const FitOptions& options)
    : splits_(splits),
      options_(options),
      context_(splits.front().pattern->context()),
      limits_(options),
      checkpoint_(options),
      x_(x, [this] { check(); }) {
  held_out_ = draw(held_out_columns);
  double squares = 0;
  for (const double value : held_out_.out.values) squares += value * value;
  if (squares == 0) return;
  norm_ = std::sqrt(squares);
  x_.set_scale(norm_);
  for (double& value : held_out_.out.values) value /= norm_;
}

template <class T>
std::int64_t OperatorFit<T>::most_columns(std::int64_t n) {
  return std::max(fewest_columns, largest_sketch / n / 2 / Operator::widest * Operator::widest);
}

template <class T>
std::int64_t OperatorFit<T>::first_columns(const FitProblem& split) {
  const std::int64_t n = split.pattern->n(), wanted = columns_for_a_number * split.weights() / n;
  return std::clamp(in_panels(wanted), fewest_columns, most_columns(n));
}

template <class T>
std::size_t OperatorFit<T>::bytes(const Splits& splits) {
  std::size_t most = 0, kept = 0;
  for (const FitProblem& split : splits) {
    const std::int64_t n = split.pattern->n(), wide = split.rank + more_than_rank;
    const std::size_t low_rank = std::size_t(n * wide) * sizeof(double);
    const std::size_t candidate = std::size_t(split.weights()) * sizeof(T) + 2 * low_rank;
    std::size_t turn = 6 * low_rank;  // the range, its product, what LAPACK works in
    if (split.stored_factors > 0)
      turn = std::max(turn, SketchObjective<T>::bytes(split, most_columns(n)) +
                                Descents<T>::bytes(split.pattern->context()->device(), split.weights(),
                                                   Descents<T>::pairs_for(split.weights())));
    most = std::max(most, turn + 3 * candidate);  // the best, what a turn begins with and what it ends with
    kept += candidate;
  }
  return most + kept;
}

template <class T>
double OperatorFit<T>::error_of(double value) const {
  return std::sqrt(2 * value) * norm_;
}

template <class T>
void OperatorFit<T>::show_start(std::int32_t number, std::int32_t count) {
  start_ = number;
  starts_ = count;
}

template <class T>
void OperatorFit<T>::check() {
  if (!obeys_limits_) return;
  const auto stop = limits_.reached(limits_.seconds(), [&]() -> FitProgress {
    const Estimate now = best_ ? best_->estimate : Estimate{};
    const double error = error_of(now.value);
    return {start_,
            starts_,
            limits_.iterations(),
            error_of(shown_value_),
            error,
            std::sqrt(2 * now.value),
            0,
            limits_.seconds(),
            now.value > 0 ? error * now.deviation / (2 * now.value) : 0};
  });
  if (stop) throw Interrupted{*stop};
}

template <class T>
typename OperatorFit<T>::Sample OperatorFit<T>::draw(std::int64_t columns) {
  Sample sample{random_signs(n(), columns, 1 / std::sqrt(double(columns)), next_random()), {}};
  sample.out = x_.times(sample.in, false);
  return sample;
}

template <class T>
Tensor OperatorFit<T>::tensor_of(const Candidate<T>& candidate) const {
  const FitProblem& split = candidate.split;
  const Tensor weights =
      Tensor::create(context_, real_type<T>, {split.stored_factors, split.pattern->n(), split.pattern->links()});
  copy_from_host(candidate.weights.data(), weights);
  return weights;
}

template <class T>
std::vector<double> OperatorFit<T>::squares_left(const Candidate<T>& candidate, const Sample& sample) const {
  Panel rest = sample.out;
  subtract_product(candidate.low_rank, sample.in.values.data(), rest.values.data(), rest.columns);
  if (candidate.split.stored_factors > 0) {
    const Chain factors(candidate.split.pattern, tensor_of(candidate), false);
    subtract_made(factors, sample.in.values.data(), rest.values.data(), rest.columns, false);
  }
  std::vector<double> squares(std::size_t(rest.columns), 0.0);
  for (std::int64_t row = 0; row < rest.n; ++row)
    for (std::int64_t c = 0; c < rest.columns; ++c) squares[std::size_t(c)] += rest.at(row, c) * rest.at(row, c);
  return squares;
}

/// Every column is a trial of its own, so their spread tells how far the mean may be off.
template <class T>
Estimate OperatorFit<T>::estimate(const Candidate<T>& candidate, const Sample& sample) const {
  const std::vector<double> squares = squares_left(candidate, sample);
  const double count = double(squares.size());
  double sum = 0, spread = 0;
  for (const double each : squares) sum += each;
  for (const double each : squares) spread += (each - sum / count) * (each - sum / count);
  return {sum / 2, std::sqrt(spread * count / (count - 1)) / 2};
}

template <class T>
Estimate OperatorFit<T>::exact_value(const Candidate<T>& candidate) {
  double sum = 0;
  for (std::int64_t first = 0; first < n(); first += Operator::widest) {
    Sample sample{Panel(n(), std::min(Operator::widest, n() - first)), {}};
    for (std::int64_t c = 0; c < sample.in.columns; ++c) sample.in.at(first + c, c) = 1;
    sample.out = x_.times(sample.in, false);
    for (const double each : squares_left(candidate, sample)) sum += each;
  }
  return {sum / 2, 0};
}

template <class T>
Candidate<T> OperatorFit<T>::start(const FitProblem& split, const Candidate<T>* from) {
  if (split.rank > 0 && widest_low_rank_.u.columns == 0) {
    std::int64_t most = 0;
    for (const FitProblem& each : splits_) most = std::max(most, each.rank);
    widest_low_rank_ = randomized_svd(x_, most, refinements_at_first, next_random());
  }
  Candidate<T> candidate{split};
  candidate.low_rank = leading_columns(from ? from->low_rank : widest_low_rank_, split.rank);
  candidate.columns = first_columns(split);
  if (split.stored_factors == 1 || (from && from->split.stored_factors == split.stored_factors)) {
    candidate.weights = from ? from->weights : std::vector<T>(std::size_t(split.weights()));
  } else if (split.stored_factors > 1) {
    FitProblem one = split;
    one.stored_factors = 1;
    Candidate<T> before = from ? *from : start(one, nullptr);
    if (!from) improve(before, usual_iterations);
    end_if_interrupted();
    candidate.weights = grown(split, before.weights, next_random());
    candidate.low_rank = leading_columns(before.low_rank, split.rank);
    const Tensor weights = tensor_of(candidate);
    spread_scale<T>(weights, 1);
    copy_to_host(weights, candidate.weights.data());
  }
  candidate.estimate = estimate(candidate, held_out_);
  return candidate;
}

template <class T>
Candidate<T> OperatorFit<T>::resumed(const FitProblem& split, const Factorization& from) {
  Candidate<T> candidate{split};
  candidate.columns = first_columns(split);
  if (split.stored_factors > 0) {
    const std::vector<double> weights = to_float64(from.weights());
    const double divisor = factor_scale(split, norm_);
    for (const double weight : weights) candidate.weights.push_back(T(weight / divisor));
  }
  if (split.rank > 0) {
    const double divisor = std::sqrt(norm_);
    candidate.low_rank = {from_tensor(from.tensor("u"), 1 / divisor), from_tensor(from.tensor("v"), 1 / divisor)};
  }
  candidate.estimate = estimate(candidate, held_out_);
  return candidate;
}

template <class T>
std::vector<T> OperatorFit<T>::descended(const Candidate<T>& candidate, std::int64_t iterations) {
  const FitProblem& split = candidate.split;
  SketchObjective<T> objective(split, candidate.columns, [this] { check(); });
  const double size = 1 / std::sqrt(double(candidate.columns));
  for (std::int64_t number = 0; number < objective.panels(); ++number) {
    const Panel in = random_signs(n(), Operator::widest, size, next_random());
    Panel target = x_.times(in, false);
    subtract_product(candidate.low_rank, in.values.data(), target.values.data(), Operator::widest);
    objective.set_panel(number, in, target);
  }
  Descents<T> descents(objective, *context_, Descents<T>::pairs_for(split.weights()), [] { return false; });
  const Tensor begin = tensor_of(candidate);
  descents.run(descents.start(0, begin.data<T>()));
  try {
    for (std::int64_t done = 0; done < iterations && descents.run(descents[0].iterate()); ++done) {
      limits_.count_iteration();
      check();
    }
  } catch (const Interrupted& interrupted) {
    interrupted_ = interrupted.stop;
  }
  std::vector<T> weights(candidate.weights.size());
  context_->submit()->copy(weights.data(), descents.parameters(0), weights.size() * sizeof(T));
  context_->wait();
  return weights;
}

template <class T>
void OperatorFit<T>::refine_low_rank(Candidate<T>& candidate) {
  const Chain factors(candidate.split.pattern, tensor_of(candidate), false);
  try {
    candidate.low_rank = refined(Remainder(x_, factors), candidate.low_rank, candidate.split.rank, next_random());
  } catch (const Interrupted& interrupted) {
    interrupted_ = interrupted.stop;
  }
}

template <class T>
bool OperatorFit<T>::take_if_better(Candidate<T>& candidate, Candidate<T>&& next) {
  next.estimate = estimate(next, held_out_);
  shown_value_ = next.estimate.value;
  if (!(next.estimate.value < candidate.estimate.value)) return false;
  candidate = std::move(next);
  return true;
}

template <class T>
bool OperatorFit<T>::turn(Candidate<T>& candidate, std::int64_t iterations) {
  const bool better = improve(candidate, iterations);
  if (better) offer(candidate);
  end_if_interrupted();
  return better;
}

template <class T>
void OperatorFit<T>::end_if_interrupted() const {
  if (interrupted_) throw Interrupted{*interrupted_};
}

template <class T>
bool OperatorFit<T>::improve(Candidate<T>& candidate, std::int64_t iterations) {
  const double began = limits_.seconds(), work = candidate.next_work();
  Candidate<T> next = candidate;
  next.weights = descended(candidate, iterations);
  next.averaged = candidate.columns;
  Candidate<T> average = next;
  if (candidate.split.rank > 0 && !interrupted_) refine_low_rank(next);
  bool better = take_if_better(candidate, std::move(next));
  if (!better && candidate.averaged > 0 && !interrupted_) {
    average.averaged = candidate.averaged + candidate.columns;
    const double share = double(candidate.columns) / double(average.averaged);
    for (std::size_t i = 0; i < average.weights.size(); ++i)
      average.weights[i] = T(candidate.weights[i] + share * (average.weights[i] - candidate.weights[i]));
    better = take_if_better(candidate, std::move(average));
  }
  if (!better) candidate.columns = std::min(2 * candidate.columns, most_columns(n()));
  candidate.seconds = limits_.seconds() - began;
  candidate.work = work;
  return better;
}

template <class T>
void OperatorFit<T>::offer(const Candidate<T>& candidate) {
  if (best_ && !(candidate.estimate.value < best_->estimate.value)) return;
  best_ = candidate;
  obeys_limits_ = true;
  if (checkpoint_.due(limits_.seconds()))
    checkpoint_.write(limits_, [this] { return factorization(best_->estimate, Stop::cancelled); });
}

template <class T>
bool OperatorFit<T>::exact() const {
  constexpr double rounding = 100 * double(std::numeric_limits<T>::epsilon());
  return std::sqrt(2 * best_->estimate.value) <= rounding;
}

template <class T>
Factorization OperatorFit<T>::factorization(const Estimate& estimate, Stop stop) const {
  const FitProblem& split = best_->split;
  FitRecord record;
  if (options_.resume) record = options_.resume->record();
  record.iterations += limits_.iterations();
  record.seconds += limits_.seconds();
  record.error = error_of(estimate.value);
  record.relative_error = std::sqrt(2 * estimate.value);
  record.standard_error = estimate.value > 0 ? record.error * estimate.deviation / (2 * estimate.value) : 0;
  record.stop = stop;
  record.seed = options_.seed;
  std::optional<Tensor> weights;
  if (split.stored_factors > 0) {
    weights = tensor_of(*best_);
    spread_scale<T>(*weights, factor_scale(split, norm_));
  }
  Parts parts;
  if (best_->low_rank.u.columns > 0) {
    const double factor = std::sqrt(norm_);
    parts.push_back(std::make_shared<LowRank>(to_tensor(context_, options_.type, best_->low_rank.u, factor),
                                              to_tensor(context_, options_.type, best_->low_rank.v, factor),
                                              split.constraint));
  }
  return {split.pattern, split.shape(), weights, parts, split.constraint, record};
}

template <class T>
Factorization OperatorFit<T>::result(Stop stop) {
  obeys_limits_ = false;
  const Estimate last = options_.exact_error ? exact_value(*best_) : estimate(*best_, draw(columns_of_result));
  return factorization(last, stop);
}

template class OperatorFit<float>;
template class OperatorFit<double>;

}  // namespace chord
