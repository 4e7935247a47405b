// The one finite-difference formula of all tests.
#pragma once

#include <cstddef>
#include <vector>

namespace testing {

/// The slope of f at x along a direction, by central differences.
template <class Function>
double slope(const Function& f, const std::vector<double>& x, const std::vector<double>& direction, double h) {
  std::vector<double> up = x, down = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    up[i] += h * direction[i];
    down[i] -= h * direction[i];
  }
  return (f(up) - f(down)) / (2 * h);
}

/// The slope along one of x's values.
template <class Function>
double slope(const Function& f, const std::vector<double>& x, std::size_t i, double h) {
  std::vector<double> direction(x.size());
  direction[i] = 1;
  return slope(f, x, direction, h);
}

}  // namespace testing
