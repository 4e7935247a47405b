// A fit to an operator X, which is known by its products with panels of columns alone.
//
// The low rank beside the factors is that of a randomised SVD of what they leave. The factors are descended on a sketch
// (sketch_objective.hpp), a new one each turn, which is larger where the last did not help; once it is as large as it
// may be, results of several are averaged. What all that is worth is estimated by columns that no descent has seen.
#pragma once

#include <limits>

#include "common/streams.hpp"
#include "factorize/checkpoint.hpp"
#include "factorize/remainder.hpp"
#include "matrix/randomized_svd.hpp"

namespace chord {

/// Ends whatever is under way.
struct Interrupted {
  Stop stop;
};

struct Estimate {
  double value = std::numeric_limits<double>::infinity();  ///< ½‖X − X̂‖², X divided by its norm
  double deviation = 0;                                    ///< its standard error; 0 where it is exact
};

/// What a split has come to; candidates, the best and results look at it together, because it is large.
template <class T>
struct Solution {
  std::vector<T> weights = {};                          ///< of the factors
  std::shared_ptr<const LowRankFactors> low_rank = {};  ///< never null
  Estimate estimate = {};
};

/// A split, and how far it has come.
template <class T>
struct Candidate {
  FitProblem split;
  std::shared_ptr<const Solution<T>> found = {};
  std::int64_t columns = 0;   ///< of its next sketch
  std::int64_t averaged = 0;  ///< columns of all sketches that the weights are an average over
  double since_refined = std::numeric_limits<double>::infinity();  ///< work of descents since the low rank is as it is

  double value() const { return found->estimate.value; }
};

template <class T>
class OperatorFit {
 public:
  OperatorFit(const Operator& x, const Splits& splits, const FitOptions& options);

  Limits& limits() { return limits_; }
  const FitOptions& options() const { return options_; }
  /// Until turns are to end.
  double seconds_left() const { return options_.seconds - limits_.seconds() - seconds_to_end_; }
  /// An estimate of X's norm, by which X is divided; 0 where X is.
  double norm() const { return norm_; }
  void show_start(std::int32_t number, std::int32_t count);

  /// Factors grown from those of another candidate, which has fewer, or from nothing. Its low rank is lower than that
  /// of the split where there is no time for more.
  Candidate<T> start(const FitProblem& split, const Candidate<T>* from);
  /// What a factorisation has. A low rank alone is what others begin with, too.
  Candidate<T> resumed(const FitProblem& split, const Factorization& from);
  /// One turn, offered; whether it has helped. Fewer iterations than usual take less time.
  bool turn(Candidate<T>& candidate, std::int64_t iterations = usual_iterations);
  /// Whether the candidate's sketches cannot become larger.
  bool at_most_columns(const Candidate<T>& candidate) const { return candidate.columns >= most_columns(n()); }
  static constexpr std::int64_t usual_iterations = 20;
  /// What the iterations of a turn will take, by those before; 0 where there was none.
  double seconds_of_turn(const Candidate<T>& candidate) const;

  /// Keeps it where it is the best so far, and writes a checkpoint when it is time. From the first on the limits are
  /// obeyed: before, there is nothing that could be the result.
  void offer(const Candidate<T>& candidate);
  bool exact() const;

  /// The best so far in X's scale, its error by columns that nothing was chosen by, or by all of X's.
  Factorization result(Stop stop);

  /// Memory that it takes, while so many candidates are kept.
  static std::size_t bytes(const Splits& splits, std::size_t candidates);

 private:
  /// Columns, and what X makes of them.
  struct Sample {
    Panel in, out;
  };

  std::int64_t n() const { return x_.n(); }
  static std::int64_t most_columns(std::int64_t n);
  static std::int64_t first_columns(const FitProblem& split);
  Random next_random() { return random_of(Stream::probes, options_.seed, panels_drawn_++); }

  void check();
  Sample draw(std::int64_t columns);
  /// What is left of a sample, its columns' sums of squares.
  std::vector<double> squares_left(const FitProblem& split, const Solution<T>& solution, const Sample& sample) const;
  Estimate estimate(const FitProblem& split, const Solution<T>& solution, const Sample& sample);
  Estimate exact_value();
  Tensor tensor_of(const FitProblem& split, const std::vector<T>& weights) const;
  std::shared_ptr<const LowRankFactors> first_low_rank();
  std::int64_t affordable_rank(std::int64_t wanted, int* turns) const;
  std::vector<T> descended(const Candidate<T>& candidate, std::int64_t iterations);
  /// A turn; one that a limit ends is worth what it has come to, and the limit is remembered.
  bool improve(Candidate<T>& candidate, std::int64_t iterations);
  void end_if_interrupted() const;
  bool refines(const Candidate<T>& candidate) const;
  std::shared_ptr<const LowRankFactors> refined_beside(const Candidate<T>& candidate, const std::vector<T>& weights);
  bool take_if_better(Candidate<T>& candidate, Solution<T>& next);
  Factorization factorization(const Estimate& estimate, Stop stop) const;
  double error_of(double value) const;

  const Splits& splits_;
  const FitOptions& options_;
  std::shared_ptr<Context> context_;
  Limits limits_;
  Checkpoint checkpoint_;
  bool obeys_limits_ = false;
  double norm_ = 0;
  ScaledOperator x_;
  std::uint64_t panels_drawn_ = 0;
  Sample held_out_;
  double seconds_of_panel_ = 0;  // of X
  double seconds_to_end_ = 0;    // that what follows the last turn takes: its estimate, and that of the result
  std::shared_ptr<const LowRankFactors> first_low_rank_;
  std::optional<Candidate<T>> best_;
  std::optional<Stop> interrupted_;
  double shown_value_ = std::numeric_limits<double>::infinity();
  std::int32_t start_ = 0, starts_ = 1;
  // Seconds for the work of descents, and of finding a low rank anew; 0 before the first.
  double pace_of_descents_ = 0, pace_of_low_rank_ = 0;
};

}  // namespace chord
