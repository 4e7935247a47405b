// What a model answers to a sequence, and how right that is.
#pragma once

#include <chord/chord.hpp>
#include <vector>

#include "keys.hpp"

namespace train {

struct Answer {
  double expected, given;  ///< classes, or values
  double confidence;       ///< the probability of the class; of no meaning for values
  double loss;
  bool right;
};

/// Judges outputs by the model's own loss.
class Judge {
 public:
  explicit Judge(const chord::Model& model);
  /// Of a model with this description.
  explicit Judge(const Json& model);

  bool of_classes() const { return tolerance_ < 0; }
  /// `outputs`: as many as the model has classes.
  Answer operator()(const double* outputs, double label) const;

 private:
  Answer of_class(const double* outputs, double label) const;
  Answer of_value(const double* outputs, double label) const;

  int64_t count_;     // of outputs
  double tolerance_;  // how close a value must come; negative for classes
};

}  // namespace train
