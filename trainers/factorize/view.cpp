#include "view.hpp"

#include <algorithm>

namespace factorize {

Raster reduced(std::int64_t n, const std::vector<double>& matrix) {
  constexpr std::int64_t largest = 1024;
  Raster raster;
  raster.block = (n + largest - 1) / largest;
  raster.side = (n + raster.block - 1) / raster.block;
  raster.values.assign(std::size_t(raster.side * raster.side), 0.0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      raster.values[i / raster.block * raster.side + j / raster.block] += matrix[i * n + j];
  // Blocks at the right and bottom edges may be smaller.
  const auto extent = [&](std::int64_t index) { return std::min(raster.block, n - index * raster.block); };
  for (std::int64_t i = 0; i < raster.side; ++i)
    for (std::int64_t j = 0; j < raster.side; ++j) raster.values[i * raster.side + j] /= double(extent(i) * extent(j));
  return raster;
}

}  // namespace factorize
