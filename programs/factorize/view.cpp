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

/// Without values yet.
Raster raster_of(Extent extent, std::int64_t most) {
  Raster raster;
  raster.block = (std::max(extent.rows, extent.columns) + most - 1) / most;
  raster.width = (extent.columns + raster.block - 1) / raster.block;
  raster.height = (extent.rows + raster.block - 1) / raster.block;
  return raster;
}

}  // namespace

Raster reduced(Extent extent, const std::vector<double>& matrix, Reduction reduction) {
  // Single entries must not get lost on the screen, either, where pictures are about 400 pixels wide.
  Raster raster = raster_of(extent, reduction == Reduction::mean ? 1024 : 400);
  const std::int64_t columns = extent.columns;
  std::vector<double> block;
  for (std::int64_t i = 0; i < extent.rows; i += raster.block)
    for (std::int64_t j = 0; j < columns; j += raster.block) {
      block.clear();
      for (std::int64_t row = i; row < std::min(i + raster.block, extent.rows); ++row) {
        const double* values = &matrix[row * columns];
        block.insert(block.end(), values + j, values + std::min(j + raster.block, columns));
      }
      raster.values.push_back(reduction == Reduction::mean ? mean(block) : largest(block));
    }
  return raster;
}

Raster factor_raster(std::int64_t n, const std::vector<std::int64_t>& offsets, const double* weights) {
  Raster raster = raster_of({n, n}, 128);  // diagonals of single points would hardly be seen
  raster.values.resize(std::size_t(raster.width * raster.height));
  for (std::int64_t i = 0; i < n; ++i)
    for (const std::int64_t offset : offsets) {
      const std::int64_t j = ((i + offset) % n + n) % n;
      double& value = raster.values[i / raster.block * raster.width + j / raster.block];
      if (std::abs(*weights) > std::abs(value)) value = *weights;
      ++weights;
    }
  return raster;
}

Canvas::Canvas(Extent extent) : extent_(extent), largest_(raster_of(extent, 400)) {
  largest_.values.resize(std::size_t(largest_.width * largest_.height));
  counts_ = largest_;
}

void Canvas::add(std::int64_t row, const double* values) {
  std::size_t point = std::size_t(row / largest_.block * largest_.width);
  for (std::int64_t begin = 0; begin < extent_.columns; begin += largest_.block, ++point)
    for (std::int64_t j = begin; j < std::min(begin + largest_.block, extent_.columns); ++j) {
      if (std::abs(values[j]) > std::abs(largest_.values[point])) largest_.values[point] = values[j];
      counts_.values[point] += values[j] != 0;
    }
}

Raster Canvas::density() const {
  Raster shares = counts_;
  const auto length = [this](std::int64_t place, std::int64_t all) {
    return double(std::min(counts_.block, all - place * counts_.block));
  };
  for (std::int64_t i = 0; i < shares.height; ++i)
    for (std::int64_t j = 0; j < shares.width; ++j)
      shares.values[i * shares.width + j] /= length(i, extent_.rows) * length(j, extent_.columns);
  return shares;
}

std::vector<double> difference(const std::vector<double>& one, const std::vector<double>& other) {
  std::vector<double> result(one.size());
  std::transform(one.begin(), one.end(), other.begin(), result.begin(), std::minus<>());
  return result;
}

}  // namespace factorize
