#include "factorize/operator_fit.hpp"

#include <algorithm>
#include <cmath>

#include "common/log.hpp"
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
                       largest_sketch = std::int64_t(1) << 26;
constexpr int refinements_at_first = 2;
constexpr double share_of_first = 1.0 / 3;  // of the time, for the first low rank
constexpr double disturbance = 0.01;        // of factors that begin as the identity

std::int64_t in_panels(std::int64_t columns) {
  return (columns + Operator::widest - 1) / Operator::widest * Operator::widest;
}

std::shared_ptr<const LowRankFactors> leading_columns(const std::shared_ptr<const LowRankFactors>& part,
                                                      std::int64_t rank) {
  if (part->u.columns <= rank) return part;
  return std::make_shared<const LowRankFactors>(
      LowRankFactors{leading_columns(part->u, rank), leading_columns(part->v, rank)});
}

/// Of so many iterations, in multiplications: those of the columns, and what vectors of weights cost beside.
double work_of_descent(const FitProblem& split, std::int64_t columns, std::int64_t iterations) {
  constexpr double ways = 3, vectors = 60;
  return double(iterations) * double(split.weights()) * (ways * double(columns) + vectors);
}

/// Of finding a low rank of so many columns within a range, or of refining the range.
double work_of_low_rank(std::int64_t n, std::int64_t rank) {
  constexpr double passes = 10;
  const double width = double(rank + more_than_rank);
  return passes * width * width * (double(n) + width);
}

/// The same, of what the factors leave.
double work_of_refinement(const FitProblem& split) {
  constexpr double ways = 4;
  return work_of_low_rank(split.pattern->n(), split.rank) +
         ways * double(split.rank + more_than_rank) * double(split.weights());
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
  const double began = limits_.seconds();
  held_out_ = draw(held_out_columns);
  seconds_of_panel_ = limits_.seconds() - began;
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
std::size_t OperatorFit<T>::bytes(const Splits& splits, std::size_t candidates) {
  constexpr std::size_t panels_of_svd = 5;  // its ranges, and what becomes of them
  std::size_t most = 0, largest = 0;
  for (const FitProblem& split : splits) {
    const std::int64_t n = split.pattern->n();
    std::size_t turn =
        split.rank > 0 ? panels_of_svd * std::size_t(n * (split.rank + more_than_rank)) * sizeof(double) : 0;
    if (split.stored_factors > 0)
      turn = std::max(turn, SketchObjective<T>::bytes(split, most_columns(n)) +
                                Descents<T>::bytes(split.pattern->context()->device(), split.weights(),
                                                   Descents<T>::pairs_for(split.weights())));
    most = std::max(most, turn);
    largest =
        std::max(largest, std::size_t(split.weights()) * sizeof(T) + 2 * std::size_t(n * split.rank) * sizeof(double));
  }
  constexpr std::size_t others = 2;  // the best, and what a turn ends with
  return most + (candidates + others) * largest;
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
  const auto stop = limits_.reached(limits_.seconds() + seconds_to_end_, [&]() -> FitProgress {
    const Estimate now = best_ ? best_->found->estimate : Estimate{};
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
Tensor OperatorFit<T>::tensor_of(const FitProblem& split, const std::vector<T>& weights) const {
  const Tensor tensor =
      Tensor::create(context_, real_type<T>, {split.stored_factors, split.pattern->n(), split.pattern->links()});
  copy_from_host(weights.data(), tensor);
  return tensor;
}

template <class T>
std::vector<double> OperatorFit<T>::squares_left(const FitProblem& split, const Solution<T>& solution,
                                                 const Sample& sample) const {
  Panel rest = sample.out;
  subtract_product(*solution.low_rank, sample.in.values.data(), rest.values.data(), rest.columns);
  if (split.stored_factors > 0) {
    const Chain factors(split.pattern, tensor_of(split, solution.weights), false);
    subtract_made(factors, sample.in.values.data(), rest.values.data(), rest.columns, false);
  }
  std::vector<double> squares(std::size_t(rest.columns), 0.0);
  for (std::int64_t row = 0; row < rest.n; ++row)
    for (std::int64_t c = 0; c < rest.columns; ++c) squares[std::size_t(c)] += rest.at(row, c) * rest.at(row, c);
  return squares;
}

/// Every column is a trial of its own, so their spread tells how far the mean may be off.
template <class T>
Estimate OperatorFit<T>::estimate(const FitProblem& split, const Solution<T>& solution, const Sample& sample) {
  const double began = limits_.seconds();
  const std::vector<double> squares = squares_left(split, solution, sample);
  const double seconds_of_column = (limits_.seconds() - began) / double(squares.size());
  constexpr double panels_of_result = columns_of_result / double(Operator::widest);
  seconds_to_end_ = (held_out_columns + columns_of_result) * seconds_of_column + panels_of_result * seconds_of_panel_;
  const double count = double(squares.size());
  double sum = 0, spread = 0;
  for (const double each : squares) sum += each;
  for (const double each : squares) spread += (each - sum / count) * (each - sum / count);
  return {sum / 2, std::sqrt(spread * count / (count - 1)) / 2};
}

template <class T>
Estimate OperatorFit<T>::exact_value() {
  double sum = 0;
  for (std::int64_t first = 0; first < n(); first += Operator::widest) {
    Sample sample{Panel(n(), std::min(Operator::widest, n() - first)), {}};
    for (std::int64_t c = 0; c < sample.in.columns; ++c) sample.in.at(first + c, c) = 1;
    sample.out = x_.times(sample.in, false);
    for (const double each : squares_left(best_->split, *best_->found, sample)) sum += each;
  }
  return {sum / 2, 0};
}

/// The highest rank whose columns are found in time, refined as often as there is time for.
template <class T>
std::int64_t OperatorFit<T>::affordable_rank(std::int64_t wanted, int* turns) const {
  constexpr double multiplications_in_a_second = 2e9, lower = 0.75;
  const double most = share_of_first * (options_.seconds - limits_.seconds());
  const auto seconds = [&](std::int64_t rank) {
    const double panels = std::ceil(double(rank + more_than_rank) / double(Operator::widest)), times = *turns + 1;
    return times * (2 * panels * seconds_of_panel_ + work_of_low_rank(n(), rank) / multiplications_in_a_second);
  };
  std::int64_t rank = wanted;
  while (rank > 1 && seconds(rank) > most) {
    if (*turns > 0)
      --*turns;
    else
      rank = std::int64_t(lower * double(rank));
  }
  return std::max<std::int64_t>(rank, 1);
}

/// Of X, as high as any split wants it.
template <class T>
std::shared_ptr<const LowRankFactors> OperatorFit<T>::first_low_rank() {
  if (first_low_rank_) return first_low_rank_;
  std::int64_t most = 0;
  for (const FitProblem& split : splits_) most = std::max(most, split.rank);
  int turns = refinements_at_first;
  const std::int64_t rank = affordable_rank(most, &turns);
  if (rank < most) log(LogLevel::warning, text("a low rank of ", rank, " instead of ", most, ": there is no time"));
  const double began = limits_.seconds();
  first_low_rank_ = std::make_shared<const LowRankFactors>(randomized_svd(x_, rank, turns, next_random()));
  pace_of_low_rank_ = (limits_.seconds() - began) / (work_of_low_rank(n(), rank) * (turns + 1));
  return first_low_rank_;
}

template <class T>
Candidate<T> OperatorFit<T>::start(const FitProblem& split, const Candidate<T>* from) {
  Solution<T> begin;
  if (split.rank > 0) begin.low_rank = leading_columns(from ? from->found->low_rank : first_low_rank(), split.rank);
  if (!begin.low_rank) begin.low_rank = std::make_shared<const LowRankFactors>();
  Candidate<T> candidate{split};
  candidate.split.rank = begin.low_rank->u.columns;
  candidate.columns = first_columns(split);
  const auto found = [&] {
    begin.estimate = estimate(candidate.split, begin, held_out_);
    return std::make_shared<const Solution<T>>(begin);
  };
  const std::size_t factor = std::size_t(split.pattern->n() * split.pattern->links());
  if (from && from->split.stored_factors == split.stored_factors) {
    begin.weights = from->found->weights;
  } else if (split.stored_factors > 0) {
    begin.weights = grown(split, from ? from->found->weights : std::vector<T>(factor), next_random());
    if (!from && split.stored_factors > 1) {
      candidate.found = found();
      offer(candidate);  // there is something from now on
      FitProblem one = split;
      one.stored_factors = 1;
      Candidate<T> before = start(one, nullptr);
      improve(before, usual_iterations);
      end_if_interrupted();
      begin.weights = grown(split, before.found->weights, next_random());
      begin.low_rank = before.found->low_rank;
    }
    if (split.stored_factors > 1) {
      const Tensor weights = tensor_of(split, begin.weights);
      spread_scale<T>(weights, 1);
      copy_to_host(weights, begin.weights.data());
    }
  }
  candidate.found = found();
  return candidate;
}

template <class T>
Candidate<T> OperatorFit<T>::resumed(const FitProblem& split, const Factorization& from) {
  Candidate<T> candidate{split};
  candidate.split.stored_factors = from.stored_factors();
  candidate.columns = first_columns(split);
  Solution<T> begin{{}, std::make_shared<const LowRankFactors>()};
  if (from.stored_factors() > 0) {
    const std::vector<double> weights = to_float64(from.weights());
    const double divisor = factor_scale(split, norm_);
    for (const double weight : weights) begin.weights.push_back(T(weight / divisor));
  }
  if (from.low_rank()) {
    const double divisor = std::sqrt(norm_);
    begin.low_rank = std::make_shared<const LowRankFactors>(
        LowRankFactors{from_tensor(from.tensor("u"), 1 / divisor), from_tensor(from.tensor("v"), 1 / divisor)});
    candidate.split.rank = begin.low_rank->u.columns;
    if (from.stored_factors() == 0) first_low_rank_ = begin.low_rank;
  }
  begin.estimate = estimate(candidate.split, begin, held_out_);
  candidate.found = std::make_shared<const Solution<T>>(std::move(begin));
  return candidate;
}

template <class T>
std::vector<T> OperatorFit<T>::descended(const Candidate<T>& candidate, std::int64_t iterations) {
  const FitProblem& split = candidate.split;
  const double began = limits_.seconds();
  SketchObjective<T> objective(split, candidate.columns, [this] { check(); });
  const double size = 1 / std::sqrt(double(candidate.columns));
  for (std::int64_t number = 0; number < objective.panels(); ++number) {
    const Panel in = random_signs(n(), Operator::widest, size, next_random());
    Panel target = x_.times(in, false);
    subtract_product(*candidate.found->low_rank, in.values.data(), target.values.data(), Operator::widest);
    objective.set_panel(number, in, target);
  }
  Descents<T> descents(objective, *context_, Descents<T>::pairs_for(split.weights()), [] { return false; });
  const Tensor begin = tensor_of(split, candidate.found->weights);
  descents.run(descents.start(0, begin.data<T>()));
  std::int64_t done = 0;
  try {
    for (; done < iterations && descents.run(descents[0].iterate()); ++done) {
      limits_.count_iteration();
      check();
    }
  } catch (const Interrupted& interrupted) {
    interrupted_ = interrupted.stop;
  }
  std::vector<T> weights(candidate.found->weights.size());
  context_->submit()->copy(weights.data(), descents.parameters(0), weights.size() * sizeof(T));
  context_->wait();
  if (done > 0) pace_of_descents_ = (limits_.seconds() - began) / work_of_descent(split, candidate.columns, done);
  return weights;
}

template <class T>
double OperatorFit<T>::seconds_of_turn(const Candidate<T>& candidate) const {
  return pace_of_descents_ * work_of_descent(candidate.split, candidate.columns, usual_iterations);
}

/// Whether the low rank is to be found anew: half of the work is for that, where it ends in time.
template <class T>
bool OperatorFit<T>::refines(const Candidate<T>& candidate) const {
  const double work = work_of_refinement(candidate.split);
  return candidate.split.rank > 0 && !interrupted_ && candidate.since_refined >= work &&
         pace_of_low_rank_ * work < seconds_left();
}

template <class T>
std::shared_ptr<const LowRankFactors> OperatorFit<T>::refined_beside(const Candidate<T>& candidate,
                                                                     const std::vector<T>& weights) {
  const FitProblem& split = candidate.split;
  const double began = limits_.seconds();
  try {
    const Chain factors(split.pattern, tensor_of(split, weights), false);
    auto found = std::make_shared<const LowRankFactors>(
        refined(Remainder(x_, factors), *candidate.found->low_rank, split.rank, next_random()));
    pace_of_low_rank_ = (limits_.seconds() - began) / work_of_refinement(split);
    return found;
  } catch (const Interrupted& interrupted) {
    interrupted_ = interrupted.stop;
    return candidate.found->low_rank;
  }
}

template <class T>
bool OperatorFit<T>::take_if_better(Candidate<T>& candidate, Solution<T>& next) {
  next.estimate = estimate(candidate.split, next, held_out_);
  shown_value_ = next.estimate.value;
  if (!(next.estimate.value < candidate.value())) return false;
  candidate.found = std::make_shared<const Solution<T>>(std::move(next));
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
  Solution<T> next{descended(candidate, iterations), candidate.found->low_rank};
  candidate.since_refined += work_of_descent(candidate.split, candidate.columns, iterations);
  if (refines(candidate)) {
    next.low_rank = refined_beside(candidate, next.weights);
    candidate.since_refined = 0;
  }
  if (take_if_better(candidate, next)) {
    candidate.averaged = candidate.columns;
    return true;
  }
  bool better = false;
  if (candidate.averaged > 0 && !interrupted_) {
    const std::vector<T>& before = candidate.found->weights;
    const std::int64_t together = candidate.averaged + candidate.columns;
    const double share = double(candidate.columns) / double(together);
    for (std::size_t i = 0; i < before.size(); ++i)
      next.weights[i] = T(before[i] + share * (next.weights[i] - before[i]));
    next.low_rank = candidate.found->low_rank;
    better = take_if_better(candidate, next);
    if (better) candidate.averaged = together;
  }
  if (!better) candidate.columns = std::min(2 * candidate.columns, most_columns(n()));
  return better;
}

template <class T>
void OperatorFit<T>::offer(const Candidate<T>& candidate) {
  if (best_ && !(candidate.value() < best_->value())) return;
  best_ = candidate;
  obeys_limits_ = true;
  if (checkpoint_.due(limits_.seconds()))
    checkpoint_.write(limits_, [this] { return factorization(best_->found->estimate, Stop::cancelled); });
}

template <class T>
bool OperatorFit<T>::exact() const {
  constexpr double rounding = 100 * double(std::numeric_limits<T>::epsilon());
  return std::sqrt(2 * best_->value()) <= rounding;
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
    weights = tensor_of(split, best_->found->weights);
    spread_scale<T>(*weights, factor_scale(split, norm_));
  }
  Parts parts;
  const LowRankFactors& low_rank = *best_->found->low_rank;
  if (low_rank.u.columns > 0) {
    const double factor = std::sqrt(norm_);
    parts.push_back(std::make_shared<LowRank>(to_tensor(context_, options_.type, low_rank.u, factor),
                                              to_tensor(context_, options_.type, low_rank.v, factor),
                                              split.constraint));
  }
  return {split.pattern, split.shape(), weights, parts, split.constraint, record};
}

template <class T>
Factorization OperatorFit<T>::result(Stop stop) {
  obeys_limits_ = false;
  const Estimate last =
      options_.exact_error ? exact_value() : estimate(best_->split, *best_->found, draw(columns_of_result));
  return factorization(last, stop);
}

template class OperatorFit<float>;
template class OperatorFit<double>;

}  // namespace chord
