// What a setting may be: read from a command line, checked, and named for people who gave something else.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace train {

using Json = nlohmann::ordered_json;

struct Domain {
  enum class Kind { integer, real, boolean, text };

  Kind kind;
  std::string expected;  ///< "a whole number, 1 or more"
  std::function<bool(const Json&)> contains;

  /// The value a command line has. Throws std::invalid_argument.
  Json parse(const std::string& text) const;

  /// Throws std::invalid_argument unless it contains the value.
  void check(const Json& value) const;
};

Domain integers_from(double lowest);
Domain integers_between(double lowest, double highest);
Domain positive_reals();
Domain reals_below(double lowest, double limit);  ///< lowest ≤ x < limit, which may be infinite
Domain booleans();
Domain texts();                     ///< not empty
Domain one_of(const Json& values);  ///< an array of texts or of integers

}  // namespace train
