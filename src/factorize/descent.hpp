// Minimises an objective by L-BFGS with a line search that ensures the strong Wolfe conditions. All vectors stay on the
// device; the host sees dot products only, and computes with the matrix of them (vector-free L-BFGS: Chen, Wang and
// Zhou, "Large-scale L-BFGS using MapReduce", 2014). The direction is a sum of the vectors remembered, and the host
// finds its coefficients.
//
// The vectors, and with them the rows and columns of the matrix of products, for 3 pairs:
//
//     row 0  1  2    steps s = x' − x           Slot k holds a pair: rows k and pairs + k.
//         3  4  5    changes y = g' − g         order_ = {2, 0}: slots in use, the oldest first;
//         6          the gradient g             slot_ = 1: where the pair of the step being taken goes.
#pragma once

#include <functional>
#include <vector>

#include "device/context.hpp"
#include "factorize/descent_objective.hpp"

namespace chord {

template <class T>
class Descent {
 public:
  /// `pairs`: steps remembered. `expired`: asked before an iteration evaluates once more; where it says so, the
  /// iteration ends with what it has.
  Descent(DescentObjective<T>& objective, Context& context, std::int64_t pairs, std::function<bool()> expired);
  ~Descent();
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;

  /// Begins anew at these parameters, in device memory.
  void start(const T* parameters);

  /// One iteration; false where no step lowers the value any more.
  bool iterate();

  double value() const { return value_; }
  double gradient_norm() const;
  const T* parameters() const { return x_; }

  /// How many steps are worth remembering, and fit into memory.
  static std::int64_t pairs_for(std::int64_t parameters);
  /// Memory a descent allocates, before it does.
  static std::size_t bytes(const DeviceDescription& device, std::int64_t parameters, std::int64_t pairs);

 private:
  struct Trial {
    double length, value, slope;
  };

  Trial evaluate(double length, bool new_direction);
  bool search(double slope);
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
  std::int64_t chunks() const;
  std::int64_t dots_count() const;
  std::int64_t sums_count() const;

  DescentObjective<T>& objective_;
  Context& context_;
  std::int64_t pairs_, chunk_size_;
  std::function<bool()> expired_;
  Scratch history_, vectors_, coefficients_;
  Scratch sums_;                                            // dot products, then the objective's squares: read together
  T *x_, *trial_, *gradient_, *new_gradient_, *direction_;  // in vectors_; pairs of them swap

  std::vector<double> gram_;
  std::vector<std::int64_t> order_;  // slots in use, the oldest first
  std::int64_t written_ = 0;         // slots that have ever held a pair
  std::int64_t slot_ = 0;            // the one for the step being taken
  std::vector<double> sums_host_, new_products_;
  double value_ = 0;
};

}  // namespace chord
