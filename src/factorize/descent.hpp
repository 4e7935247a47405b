// L-BFGS with a line search that ensures the strong Wolfe conditions, as far as the host has a part in it. The vectors
// are on a device (descents.hpp); the host sees dot products only, and computes with the matrix of them (vector-free
// L-BFGS: Chen, Wang and Zhou, "Large-scale L-BFGS using MapReduce", 2014). The direction is a sum of the vectors
// remembered, and the host finds its coefficients.
//
// The vectors, and with them the rows and columns of the matrix of products, for 3 pairs:
//
//     row 0  1  2    steps s = x' − x           Slot k holds a pair: rows k and pairs + k.
//         3  4  5    changes y = g' − g         order_ = {2, 0}: slots in use, the oldest first;
//         6          the gradient g             slot_ = 1: where the pair of the step being taken goes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "common/coroutine.hpp"
#include "kernels/descent.hpp"

namespace chord {

class Descent {
 public:
  /// `pairs`: steps remembered. `expired`: asked before an iteration evaluates once more; where it says so, the
  /// iteration ends with what it has.
  Descent(std::int64_t pairs, std::function<bool()> expired);

  /// Begins anew where the trial vector is; its value.
  Coroutine<double> start();
  /// One iteration; false where no step lowers the value any more.
  Coroutine<bool> iterate();

  double value() const { return value_; }
  double gradient_norm() const;
  /// Whether it has come to the last trial: x is still where it was before.
  bool moved() const { return moved_; }

  /// Both wait for evaluations: of this on the device,
  struct Evaluation {
    kernels::DescentTurn turn = kernels::DescentTurn::none;
    double length = 0;
    std::vector<double> coefficients;  ///< of a new direction
    std::int64_t slot = 0, used = 0;
  };
  bool waits() const { return waiting_ != nullptr; }
  void wait_no_longer() { waiting_ = nullptr; }
  const Evaluation& wanted() const { return wanted_; }
  /// … which found these products of s, y and g with every row, and this value.
  void go_on(const std::vector<double>& products, double value);

 private:
  struct Trial {
    double length, value, slope;
  };

  Coroutine<Trial> evaluate(kernels::DescentTurn turn, double length);
  Coroutine<bool> search(double slope);
  void accept(const Trial& trial);
  std::vector<double> direction_coefficients() const;
  double product(std::int64_t row, const std::vector<double>& coefficients) const;
  /// ⟨vector a, vector b⟩
  double& gram(std::int64_t a, std::int64_t b) { return gram_[a * rows() + b]; }
  double gram(std::int64_t a, std::int64_t b) const { return gram_[a * rows() + b]; }

  std::int64_t rows() const { return 2 * pairs_ + 1; }
  static std::int64_t step_row(std::int64_t slot) { return slot; }
  std::int64_t change_row(std::int64_t slot) const { return pairs_ + slot; }
  std::int64_t gradient_row() const { return 2 * pairs_; }

  std::int64_t pairs_;
  std::function<bool()> expired_;
  Evaluation wanted_;
  std::coroutine_handle<> waiting_ = nullptr;
  std::vector<double> new_products_;
  double new_value_ = 0;

  std::vector<double> gram_;
  std::vector<std::int64_t> order_;  // slots in use, the oldest first
  std::int64_t written_ = 0;         // slots that have ever held a pair
  std::int64_t slot_ = 0;            // the one for the step being taken
  double value_ = 0;
  bool moved_ = false;
};

}  // namespace chord
