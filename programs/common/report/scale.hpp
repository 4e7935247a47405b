// How values become places on a colour map.
#pragma once

#include <string>
#include <vector>

namespace program {

class Scale {
 public:
  /// From the lowest to the highest value, straight: for grey levels.
  static Scale linear(const std::vector<double>& values);

  // Both show something however unevenly the values are spread: straight, or, where most are tiny beside the largest,
  // logarithmic away from zero.
  static Scale of_matrix(const std::vector<double>& values);     ///< symmetric about zero if any is negative
  static Scale of_residuals(const std::vector<double>& values);  ///< symmetric about zero

  /// A value's place from 0 to 1; values beyond the ends are at the ends.
  double position(double value) const;
  /// The ends, zero and round numbers between, the most important first.
  std::vector<double> ticks() const;
  bool symmetric() const { return low_ < 0 && low_ == -high_; }
  /// For the reader of the picture.
  std::string description() const;

 private:
  Scale(double low, double high, double knee);
  static Scale about_zero(double largest, double knee);
  double stretched(double value) const;

  double low_, high_;
  double knee_;  // logarithmic beyond this magnitude; 0: nowhere
};

}  // namespace program
