// What a setting may be: read from a command line, checked, and named for people who gave something else.
#pragma once

#include <functional>
#include <string>

#include "json.hpp"

namespace program {

struct Domain {
  enum class Kind { integer, real, boolean, text };

  Kind kind;
  std::string expected;  ///< "a whole number, 1 to 8"
  std::function<bool(const Json&)> contains;

  /// The value a command line has. Throws std::invalid_argument.
  Json parse(const std::string& text) const;

  /// Throws std::invalid_argument unless it contains the value.
  void check(const Json& value) const;
};

Domain integers_between(double lowest, double highest);
Domain counts_from(int lowest);  ///< of anything: to a billion, so that no product of two overflows
Domain seeds();                  ///< 64 bits
Domain positive_reals();
Domain reals_below(double lowest, double limit);  ///< lowest ≤ x < limit, which may be infinite
Domain reals_between(double lowest, double highest);
Domain booleans();
Domain texts();                     ///< not empty
Domain one_of(const Json& values);  ///< an array of texts or of integers

}  // namespace program
