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
Raster raster_of(std::int64_t n, std::int64_t most) {
  Raster raster;
  raster.block = (n + most - 1) / most;
  raster.side = (n + raster.block - 1) / raster.block;
  return raster;
}

}  // namespace

Raster reduced(std::int64_t n, const std::vector<double>& matrix, Reduction reduction) {
  // Single entries must not get lost on the screen, either, where pictures are about 400 pixels wide.
  Raster raster = raster_of(n, reduction == Reduction::mean ? 1024 : 400);
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

Raster factor_raster(std::int64_t n, const std::vector<std::int64_t>& offsets, const double* weights) {
  Raster raster = raster_of(n, 128);  // diagonals of single points would hardly be seen
  raster.values.resize(std::size_t(raster.side * raster.side));
  for (std::int64_t i = 0; i < n; ++i)
    for (const std::int64_t offset : offsets) {
      const std::int64_t j = ((i + offset) % n + n) % n;
      double& value = raster.values[i / raster.block * raster.side + j / raster.block];
      if (std::abs(*weights) > std::abs(value)) value = *weights;
      ++weights;
    }
  return raster;
}

Canvas::Canvas(std::int64_t n) : n_(n), largest_(raster_of(n, 400)) {
  largest_.values.resize(std::size_t(largest_.side * largest_.side));
  counts_ = largest_;
}

void Canvas::add(std::int64_t row, const double* values) {
  for (std::int64_t j = 0; j < n_; ++j) {
    const std::size_t point = std::size_t(row / largest_.block * largest_.side + j / largest_.block);
    if (std::abs(values[j]) > std::abs(largest_.values[point])) largest_.values[point] = values[j];
    counts_.values[point] += values[j] != 0;
  }
}

Raster Canvas::density() const {
  Raster shares = counts_;
  const auto extent = [this](std::int64_t place) {
    return double(std::min(counts_.block, n_ - place * counts_.block));
  };
  for (std::int64_t i = 0; i < shares.side; ++i)
    for (std::int64_t j = 0; j < shares.side; ++j) shares.values[i * shares.side + j] /= extent(i) * extent(j);
  return shares;
}

std::vector<double> difference(const std::vector<double>& one, const std::vector<double>& other) {
  std::vector<double> result(one.size());
  std::transform(one.begin(), one.end(), other.begin(), result.begin(), std::minus<>());
  return result;
}

}  // namespace factorize
