#include "factorize/factorize.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "common/log.hpp"
#include "common/random.hpp"
#include "common/size.hpp"
#include "factorize/descent.hpp"
#include "factorize/starts.hpp"
#include "operations/copy.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

// Steps a descent remembers: more make it better and slower, and take memory.
constexpr std::int64_t most_pairs = 12, fewest_pairs = 4;
constexpr std::int64_t history_bytes = std::int64_t(1) << 30;

// The race: every start gets some iterations, the better half twice as many, and so on until one is left. It should be
// over in seconds whatever the size, so larger problems race for fewer iterations.
constexpr std::int64_t race_iterations = 300, shortest_race = 10;
constexpr double race_work = 1.5e9;     // multiplications of all factors, in the first round of one start
constexpr std::int64_t race_share = 4;  // of an iteration limit, at most a quarter

// What the race has won is shaken again and again: noise on all parameters, relative to their size, then a descent. It
// leaves narrow valleys, along which a descent only creeps, for better ones nearby. Where it hardly helps several times
// in a row, the next are half as strong; where it does harm, it is undone.
constexpr std::int64_t shake_iterations = 1000;
constexpr int shake_patience = 8;
constexpr double strongest_shake = 0.3, weakest_shake = 0.02;
constexpr double steep_descent = 0.8;  // not while so many iterations still lower the objective to less than this share
constexpr std::uint64_t shake_streams = std::uint64_t(1) << 32;  // of random numbers, after those of the starts

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
double factor_scale(const FitProblem& problem, double scale) { return std::pow(scale, 1.0 / double(problem.steps())); }

std::int64_t first_round(const FitProblem& problem, const FitOptions& options) {
  const double work = double(problem.parameters()) * double(problem.pattern->n());
  const auto affordable = std::int64_t(race_work / std::max(work, 1.0));
  const std::int64_t rounds = 1 + std::int64_t(std::ceil(std::log2(double(options.starts))));
  const std::int64_t limit = options.iterations / race_share / (options.starts * rounds);
  return std::min(std::clamp(affordable, shortest_race, race_iterations), std::max<std::int64_t>(limit, 1));
}

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

template <class T>
class Run {
 public:
  Run(const FitProblem& problem, const FitOptions& options)
      : problem_(problem),
        options_(options),
        context_(*problem.pattern->context()),
        scale_(scale_of(problem)),
        objective_(problem, scale_),
        descent_(objective_, context_, pairs_for<T>(problem.parameters()),
                 [this] { return clock_.seconds() >= options_.seconds; }),
        best_(vector()) {}

  Factorization fit() {
    if (problem_.matrix->norm() == 0 && problem_.constraint != Constraint::stochastic) return nothing();
    std::optional<Stop> stop;
    std::unique_ptr<Scratch> winner;
    if (options_.resume) {
      winner = resumed();
    } else {
      auto racers = starts();
      for (std::int64_t round = first_round(problem_, options_); racers.size() > 1 && !stop; round *= 2) {
        for (Racer& racer : racers) {
          start_ = racer.number;
          if (stop = descend(*racer.parameters, round); stop) break;
          racer.value = descent_.value();
        }
        std::stable_sort(racers.begin(), racers.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
        racers.resize((racers.size() + 1) / 2);
      }
      start_ = racers.front().number;
      winner = std::move(racers.front().parameters);
    }
    if (!stop) stop = descend_and_shake(*winner);
    return result(*stop);
  }

  static std::size_t bytes(const FitProblem& problem, const FitOptions& options) {
    const std::int64_t vectors = (options.resume ? 1 : options.starts) + 2;  // each start's, the best, the result
    return Objective<T>::bytes(problem, plan_fit(problem, sizeof(T))) +
           Descent<T>::bytes(problem.parameters(), pairs_for<T>(problem.parameters())) +
           std::size_t(vectors * problem.parameters()) * sizeof(T);
  }

 private:
  struct Racer {
    std::int32_t number;
    std::unique_ptr<Scratch> parameters;
    double value;
  };

  std::unique_ptr<Scratch> vector() const {
    return std::make_unique<Scratch>(context_, std::size_t(problem_.parameters()) * sizeof(T));
  }
  void upload(const std::vector<T>& values, const Scratch& to) const {
    context_.submit()->copy(to.as<T>(), values.data(), values.size() * sizeof(T));
    context_.wait();
  }
  std::unique_ptr<Scratch> uploaded(const std::vector<double>& values) const {
    std::unique_ptr<Scratch> target = vector();
    upload(std::vector<T>(values.begin(), values.end()), *target);
    return target;
  }
  void copy_vector(const T* from, const Scratch& to) const {
    context_.submit()->copy(to.as<T>(), from, std::size_t(problem_.parameters()) * sizeof(T));
  }

  std::vector<Racer> starts() const {
    std::vector<Racer> racers;
    for (std::int64_t number = 0; number < options_.starts; ++number)
      racers.push_back({std::int32_t(number), uploaded(start_parameters(problem_, options_.seed, number)), 0});
    return racers;
  }

  std::unique_ptr<Scratch> resumed() const {
    const Tensor& weights = options_.resume->weights();
    std::vector<double> values(std::size_t(weights.elements()));
    with_type(weights.type, [&](auto zero) {
      std::vector<decltype(zero)> typed(values.size());
      copy_to_host(weights, typed.data());
      std::copy(typed.begin(), typed.end(), values.begin());
    });
    const double divisor = factor_scale(problem_, scale_);
    for (double& value : values) value /= divisor;
    weights_to_parameters(problem_.constraint, values);
    return uploaded(values);
  }

  double error_of(double value) const { return std::sqrt(2 * value) * scale_; }

  /// Goes on from `parameters` and leaves there what it reached. Nothing where it ended for the round's sake alone.
  std::optional<Stop> descend(const Scratch& parameters, std::int64_t round) {
    descent_.start(parameters.as<T>());
    const std::optional<Stop> stop = iterate(round);
    copy_vector(descent_.parameters(), parameters);
    keep_best();
    return stop;
  }

  Stop descend_and_shake(const Scratch& parameters) {
    double strength = strongest_shake;
    std::uint64_t shakes = 0;
    int failures = 0;
    std::optional<Stop> stop;
    for (bool steep = true; steep && !stop;) {
      const double before = best_value_;
      stop = descend(parameters, shake_iterations);
      steep = best_value_ < before * steep_descent;
    }
    for (double cycle = 0; !stop && strength >= weakest_shake && best_value_ > 0; ++shakes) {
      // A shake that there is no time to recover from is no use.
      const double began = clock_.seconds();
      if (began + cycle >= options_.seconds || options_.iterations - iterations_ < shake_iterations) break;
      const double before = best_value_;
      shake(parameters, strength, shakes);
      stop = descend(parameters, shake_iterations);
      cycle = clock_.seconds() - began;
      const double share = 1 - options_.improvement_tolerance;
      failures = error_of(best_value_) < error_of(before) * share ? 0 : failures + 1;
      if (failures == shake_patience) {
        strength /= 2;
        failures = 0;
      }
    }
    if (stop) return *stop;
    copy_vector(best_->as<T>(), parameters);
    return *descend(parameters, std::numeric_limits<std::int64_t>::max());
  }

  /// parameters = the best, with noise
  void shake(const Scratch& parameters, double strength, std::uint64_t number) const {
    std::vector<T> values(std::size_t(problem_.parameters()));
    context_.submit()->copy(values.data(), best_->as<T>(), values.size() * sizeof(T));
    context_.wait();
    double squares = 0;
    for (const T value : values) squares += double(value) * double(value);
    const double noise = strength * std::sqrt(squares / double(values.size()));
    const Random random(options_.seed, shake_streams + number);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += T(noise * random.normal(i));
    upload(values, parameters);
  }

  std::optional<Stop> iterate(std::int64_t round) {
    const bool last = round == std::numeric_limits<std::int64_t>::max();
    double judged_error = error_of(descent_.value());
    for (std::int64_t done = 0;; ++done) {
      if (const auto stop = interrupted()) return stop;
      if (done == round) return {};
      // What has converged in a round of its own makes way for the next.
      const auto ended = [&](Stop stop) { return last ? std::optional<Stop>(stop) : std::nullopt; };
      if (descent_.gradient_norm() <= options_.gradient_tolerance) return ended(Stop::gradient);
      if (done > 0 && done % judged_iterations == 0) {
        const double error = error_of(descent_.value());
        if (judged_error - error < options_.improvement_tolerance * judged_error) return ended(Stop::improvement);
        judged_error = error;
      }
      if (!descent_.iterate()) return ended(Stop::gradient);
      ++iterations_;
    }
  }

  /// Limits and the callback; writes the checkpoint when it is time.
  std::optional<Stop> interrupted() {
    const double now = clock_.seconds();
    if (!options_.checkpoint.empty() && now >= next_checkpoint_) {
      write_checkpoint();
      next_checkpoint_ = clock_.seconds() + options_.checkpoint_seconds;
    }
    const bool over = now >= options_.seconds || iterations_ >= options_.iterations;
    if (options_.callback && (over || now >= next_callback_)) {
      next_callback_ = now + options_.callback_seconds;
      const double best = error_of(std::min(best_value_, descent_.value()));
      if (options_.callback({start_, std::int32_t(options_.resume ? 1 : options_.starts), iterations_,
                             error_of(descent_.value()), best, relative(best), descent_.gradient_norm(), now}))
        return Stop::cancelled;
    }
    if (iterations_ >= options_.iterations) return Stop::iterations;
    if (now >= options_.seconds) return Stop::seconds;
    return {};
  }

  void keep_best() {
    if (!(descent_.value() < best_value_)) return;
    best_value_ = descent_.value();
    copy_vector(descent_.parameters(), *best_);
  }

  double relative(double error) const {
    const double norm = problem_.matrix->norm();
    return norm > 0 ? error / norm : 0;
  }

  /// A full disk should not end a run that has an hour behind it.
  void write_checkpoint() {
    keep_best();
    try {
      result(Stop::cancelled).save(options_.checkpoint);
    } catch (const Error& error) {
      if (!checkpoint_failed_) log(LogLevel::warning, text("no checkpoint: ", error.what()));
      checkpoint_failed_ = true;
    }
  }

  /// The best parameters so far as factors in X's scale, spread evenly over them.
  Factorization result(Stop stop) {
    const std::int64_t n = problem_.pattern->n(), links = problem_.pattern->links();
    const Tensor weights =
        Tensor::create(problem_.pattern->context(), options_.type, {problem_.stored_factors, n, links});
    if (traits(problem_.constraint).weights == kernels::weights_free)
      context_.submit()->copy(weights.data<T>(), best_->as<T>(), weights.bytes());
    else
      objective_.weights(best_->as<T>(), weights.data<T>());
    if (problem_.constraint != Constraint::stochastic) spread_scale(weights);
    return {problem_.pattern, weights, problem_.constraint, record(stop, error_of(best_value_))};
  }

  void spread_scale(const Tensor& weights) const {
    std::vector<T> values(std::size_t(weights.elements()));
    copy_to_host(weights, values.data());
    const std::size_t factor = values.size() / std::size_t(problem_.stored_factors);
    std::vector<double> norms;
    double logarithms = 0;
    for (auto begin = values.begin(); begin != values.end(); begin += std::ptrdiff_t(factor)) {
      double squares = 0;
      std::for_each(begin, begin + std::ptrdiff_t(factor), [&](T value) { squares += double(value) * double(value); });
      norms.push_back(std::sqrt(squares));
      logarithms += std::log(norms.back());
    }
    const double mean = std::exp(logarithms / double(norms.size()));  // 0 if a factor is 0: then nothing to spread
    const double scale = factor_scale(problem_, scale_);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = T(double(values[i]) * scale * (mean > 0 ? mean / norms[i / factor] : 1));
    copy_from_host(values.data(), weights);
  }

  FitRecord record(Stop stop, double error) const {
    FitRecord record;
    if (options_.resume) record = options_.resume->record();
    record.iterations += iterations_;
    record.seconds += clock_.seconds();
    record.error = error;
    record.relative_error = relative(error);
    record.stop = stop;
    record.seed = options_.seed;
    return record;
  }

  /// X = 0: so are the factors.
  Factorization nothing() const {
    const Tensor weights = Tensor::create(problem_.pattern->context(), options_.type,
                                          {problem_.stored_factors, problem_.pattern->n(), problem_.pattern->links()});
    fill(weights, 0);
    return {problem_.pattern, weights, problem_.constraint, record(Stop::gradient, 0)};
  }

  const FitProblem& problem_;
  const FitOptions& options_;
  Context& context_;
  const double scale_;
  Objective<T> objective_;
  Descent<T> descent_;
  std::unique_ptr<Scratch> best_;
  double best_value_ = std::numeric_limits<double>::infinity();
  Clock clock_;
  double next_callback_ = 0, next_checkpoint_ = options_.checkpoint_seconds;
  std::int64_t iterations_ = 0;
  std::int32_t start_ = 0;
  bool checkpoint_failed_ = false;
};

void check_resume(const FitProblem& problem, const Factorization& from) {
  const auto expect = [](const char* what, const auto& found, const auto& expected) {
    if (found != expected)
      fail(Status::invalid_argument, "the factorisation to go on from has ", what, " ", found, "; expected ", expected);
  };
  expect("n =", from.pattern()->n(), problem.pattern->n());
  expect("links:", from.pattern()->links(), problem.pattern->links());
  expect("stored factors:", from.stored_factors(), problem.stored_factors);
  expect("constraint", std::string(traits(from.constraint()).name), std::string(traits(problem.constraint).name));
  if (from.pattern()->offsets() != problem.pattern->offsets())
    fail(Status::invalid_argument, "the factorisation to go on from has other offsets than the pattern");
}

}  // namespace

Factorization factorize(const FitProblem& problem, const FitOptions& options) {
  if (options.resume) check_resume(problem, *options.resume);
  std::optional<Factorization> result;
  with_type(options.type, [&](auto zero) { result = Run<decltype(zero)>(problem, options).fit(); });
  return *result;
}

std::size_t factorize_memory(const FitProblem& problem, const FitOptions& options) {
  std::size_t bytes = 0;
  with_type(options.type, [&](auto zero) { bytes = Run<decltype(zero)>::bytes(problem, options); });
  return bytes;
}

}  // namespace chord
