// What a report shows of the matrices themselves.
#pragma once

#include <cstdint>
#include <vector>

namespace factorize {

/// Above this, a dense matrix and its SVD take too much time and memory for something to look at.
constexpr std::int64_t largest_dense = 4096;

/// A square picture's values, each of which stands for a block of the matrix.
struct Raster {
  std::int64_t side = 0, block = 1;
  std::vector<double> values;
};

/// What a block is represented by: the mean, or, so that single entries are seen, the one of the largest magnitude.
enum class Reduction { mean, largest };

/// Made small enough to be looked at.
Raster reduced(std::int64_t n, const std::vector<double>& matrix, Reduction reduction);

std::vector<double> difference(const std::vector<double>& one, const std::vector<double>& other);

struct View {
  Reduction reduction;
  Raster x, sf, residual;
  Raster tsvd, tsvd_residual;  ///< without values where there is no TSVD
  std::vector<double> x_singular_values, sf_singular_values;
};

}  // namespace factorize
