// A fit under way: descents from any parameters, within the limits of the run, and the best that any of them found.
#pragma once

#include <limits>

#include "factorize/checkpoint.hpp"
#include "factorize/descent.hpp"

namespace chord {

template <class T>
class Fit {
 public:
  /// Parameters of all factors, on the device.
  using Parameters = std::unique_ptr<Scratch>;

  Fit(const FitProblem& problem, const FitOptions& options);

  const FitProblem& problem() const { return problem_; }
  const FitOptions& options() const { return options_; }
  const Limits& limits() const { return limits_; }
  Context& context() const { return context_; }

  Parameters upload(const std::vector<double>& values) const;
  /// Those of options.resume.
  Parameters resumed() const;

  static constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();
  /// Goes on from `parameters` for so many iterations and leaves there what it reached. Nothing where it ended for the
  /// sake of their number alone, or converged before; `forever` always tells why it ended.
  std::optional<Stop> descend(const Scratch& parameters, std::int64_t iterations);

  double value() const { return descent_.value(); }  ///< what the last descent reached
  double best_value() const { return best_value_; }
  const T* best() const { return best_->as<T>(); }
  void copy_best(const Scratch& to) const { copy(best(), to); }
  /// ‖X − X̂‖ for a value of the objective.
  double error_of(double value) const;

  /// Which start the progress is told to be of.
  void show_start(std::int32_t number) { start_ = number; }

  /// The best parameters so far as factors in X's scale, spread evenly over them.
  Factorization result(Stop stop);
  /// The result for X = 0: factors that are 0, too.
  Factorization zero() const;

  /// Bytes of device memory that a fit takes, with parameters of each start.
  static std::size_t bytes(const FitProblem& problem, const FitOptions& options);

 private:
  Parameters vector() const;
  void copy(const T* from, const Scratch& to) const;
  void keep_best();
  std::optional<Stop> iterate(std::int64_t iterations);
  std::optional<Stop> interrupted();
  FitProgress progress(double now) const;
  double relative(double error) const;
  Tensor empty_weights() const;
  FitRecord record(Stop stop, double error) const;

  const FitProblem& problem_;
  const FitOptions& options_;
  Context& context_;
  const double scale_;  // X is divided by it
  Objective<T> objective_;
  Descent<T> descent_;
  Parameters best_;
  double best_value_ = std::numeric_limits<double>::infinity();
  Limits limits_;
  Checkpoint checkpoint_;
  std::int32_t start_ = 0;
};

}  // namespace chord
