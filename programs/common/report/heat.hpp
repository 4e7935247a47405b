// Text on a ground whose colour tells a value: red above zero, blue below, the stronger the farther.
#pragma once

#include <string>
#include <vector>

#include "scale.hpp"

namespace program {

class Heat {
 public:
  static constexpr int levels = 8;

  /// For these values.
  explicit Heat(const std::vector<double>& values) : scale_(Scale::of_residuals(values)) {}

  /// From −levels to levels.
  int level(double value) const;
  /// A piece of HTML on the ground of a level.
  static std::string coloured(int level, const std::string& html);
  /// What the colours stand for.
  std::string legend() const;

 private:
  Scale scale_;
};

}  // namespace program
