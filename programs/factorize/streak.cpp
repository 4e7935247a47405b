#include "streak.hpp"

#include <algorithm>
#include <cmath>

namespace factorize {
namespace {

/// For each distance, the root mean square of the entries there.
std::vector<double> sizes_by_distance(std::int64_t n, const std::vector<double>& matrix) {
  std::vector<double> sizes(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) sizes[(j - i + n) % n] += matrix[i * n + j] * matrix[i * n + j];
  for (double& each : sizes) each = std::sqrt(each / double(n));
  return sizes;
}

/// For each distance, in how many ways one offset for each factor adds up to it.
std::vector<double> ways_by_distance(std::int64_t n, const std::vector<std::int64_t>& offsets, std::int64_t factors) {
  std::vector<double> ways(static_cast<std::size_t>(n));
  ways[0] = 1;
  for (std::int64_t m = 0; m < factors; ++m) {
    std::vector<double> longer(ways.size());
    for (const std::int64_t offset : offsets)
      for (std::int64_t d = 0; d < n; ++d) longer[((d + offset) % n + n) % n] += ways[d];
    ways = std::move(longer);
  }
  return ways;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::optional<Streak> find_streak(std::int64_t n, const std::vector<double>& residual,
                                  const std::vector<std::int64_t>& offsets, std::int64_t factors) {
  constexpr double seen = 1.5, few = 0.75;  // beside the median
  const auto sizes = sizes_by_distance(n, residual), ways = ways_by_distance(n, offsets, factors);
  const auto largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  const Streak streak{largest, sizes[largest] / median(sizes), ways[largest], median(ways)};
  const bool explained = streak.times >= seen && streak.ways < few * streak.usual_ways;
  return explained ? std::optional(streak) : std::nullopt;
}

}  // namespace factorize
