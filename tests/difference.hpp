// How far results are from what is expected: the one measure of all tests.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace testing {

/// The largest difference, relative to the largest value expected, however small that is. Where zeros are expected, any
/// difference is infinite, as is that of a number that is none. `terms`: where a single sum may cancel, the size its
/// terms have together; its rounding is theirs.
inline double difference(const std::vector<double>& found, const std::vector<double>& expected, double terms = 0) {
  REQUIRE(found.size() == expected.size());
  double largest = 0, scale = terms;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double each = std::abs(found[i] - expected[i]);
    if (!std::isfinite(each)) return INFINITY;
    largest = std::max(largest, each);
    scale = std::max(scale, std::abs(expected[i]));
  }
  return largest == 0 ? 0 : largest / scale;
}

inline double difference(double found, double expected) {
  return difference(std::vector<double>{found}, std::vector<double>{expected});
}

}  // namespace testing
