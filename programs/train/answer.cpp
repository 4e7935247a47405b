#include "answer.hpp"

#include <algorithm>
#include <cmath>

namespace train {
namespace {

double tolerance_of(const Json& model) { return model["loss"] == "mse" ? model["tolerance"].get<double>() : -1; }

}  // namespace

Judge::Judge(const chord::Model& model) : Judge(Json::parse(model.description())) {}

Judge::Judge(const Json& model) : count_(model["classes"].get<int64_t>()), tolerance_(tolerance_of(model)) {}

Answer Judge::operator()(const double* outputs, double label) const {
  return of_classes() ? of_class(outputs, label) : of_value(outputs, label);
}

/// The class of the first largest output, with cross-entropy.
Answer Judge::of_class(const double* outputs, double label) const {
  const double* const largest = std::max_element(outputs, outputs + count_);
  double sum = 0;
  for (int64_t c = 0; c < count_; ++c) sum += std::exp(outputs[c] - *largest);
  const auto given = double(largest - outputs);
  return {label, given, 1 / sum, std::log(sum) + *largest - outputs[int64_t(label)], given == label};
}

/// The mean of all outputs, each of which should be the label.
Answer Judge::of_value(const double* outputs, double label) const {
  Answer answer{label, 0, 1, 0, true};
  for (int64_t c = 0; c < count_; ++c) {
    const double difference = outputs[c] - label;
    answer.given += outputs[c] / double(count_);
    answer.loss += difference * difference / double(count_);
    answer.right = answer.right && std::abs(difference) < tolerance_;
  }
  return answer;
}

}  // namespace train
