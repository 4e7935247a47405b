#include "view.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace factorize {
namespace {

double mean(const std::vector<double>& block) {
  double sum = 0;
  for (const double each : block) sum += each;
  return sum / double(block.size());
}

double largest(const std::vector<double>& block) {
  return *std::max_element(block.begin(), block.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
}

}  // namespace

Raster reduced(std::int64_t n, const std::vector<double>& matrix, Reduction reduction) {
  // Single entries must not get lost on the screen, either, where pictures are about 400 pixels wide.
  const std::int64_t most = reduction == Reduction::mean ? 1024 : 400;
  Raster raster;
  raster.block = (n + most - 1) / most;
  raster.side = (n + raster.block - 1) / raster.block;
  std::vector<double> block;
  for (std::int64_t i = 0; i < n; i += raster.block)
    for (std::int64_t j = 0; j < n; j += raster.block) {
      block.clear();
      for (std::int64_t row = i; row < std::min(i + raster.block, n); ++row)
        block.insert(block.end(), &matrix[row * n + j], &matrix[row * n] + std::min(j + raster.block, n));
      raster.values.push_back(reduction == Reduction::mean ? mean(block) : largest(block));
    }
  return raster;
}

std::vector<double> difference(const std::vector<double>& one, const std::vector<double>& other) {
  std::vector<double> result(one.size());
  std::transform(one.begin(), one.end(), other.begin(), result.begin(), std::minus<>());
  return result;
}

}  // namespace factorize
