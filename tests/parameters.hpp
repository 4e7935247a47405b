// The parameters and gradients of a model, by their names.
#pragma once

#include "model_reference.hpp"
#include "support.hpp"

namespace testing {

using reference::Parameters;

template <class T>
Parameters parameters_of(const chord::Model& model) {
  Parameters all;
  for (const std::string& name : model.parameter_names()) all[name] = values_of<T>(model.parameter(name));
  return all;
}

template <class T>
Parameters gradients_of(const chord::Model& model) {
  Parameters all;
  for (const std::string& name : model.parameter_names()) all[name] = values_of<T>(model.gradient(name));
  return all;
}

inline double largest_difference(const Parameters& found, const Parameters& expected) {
  REQUIRE(found.size() == expected.size());
  double largest = 0;
  for (const auto& [name, values] : expected) largest = std::max(largest, difference(found.at(name), values));
  return largest;
}

}  // namespace testing
