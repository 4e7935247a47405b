// What a report shows of the matrices themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "streak.hpp"

namespace factorize {

/// Above this, a dense matrix and its SVD take too much time and memory for something to look at.
constexpr std::int64_t largest_dense = 4096;

/// Of a matrix.
struct Extent {
  std::int64_t rows, columns;
};

/// A picture's values, each of which stands for a block of the matrix.
struct Raster {
  std::int64_t width = 0, height = 0, block = 1;
  std::vector<double> values;
};

/// What a block is represented by: the mean, or, so that single entries are seen, the one of the largest magnitude.
enum class Reduction { mean, largest };

/// Made small enough to be looked at.
Raster reduced(Extent extent, const std::vector<double>& matrix, Reduction reduction);

/// A factor, of the weights in its rows, as a picture of its N × N entries.
Raster factor_raster(std::int64_t n, const std::vector<std::int64_t>& offsets, const double* weights);

std::vector<double> difference(const std::vector<double>& one, const std::vector<double>& other);

/// Entries that become a picture one row after the other, each point the one of the largest magnitude, so that there is
/// never more than a row.
class Canvas {
 public:
  explicit Canvas(Extent extent);
  void add(std::int64_t row, const double* values);
  const Raster& largest() const { return largest_; }
  /// For each point the share of its entries that are not zero.
  Raster density() const;

 private:
  Extent extent_;
  Raster largest_, counts_;
};

/// A part of X̂ that is a matrix of its own.
struct PartPicture {
  std::string name;  ///< HTML
  Raster raster;
};

struct View {
  std::vector<Raster> factors;  ///< the first applied first
  Reduction reduction;
  std::int64_t rows_apart = 1;     ///< of X̂ and the residual, one row in so many was made
  Raster x, sf, residual;          ///< without values where nothing was made dense
  std::vector<PartPicture> parts;  ///< whose sum X̂ is; none where it has one alone, or nothing was made dense
  Raster tsvd, tsvd_residual;      ///< without values where there is no TSVD
  Raster density;                  ///< of X; without values where each point is an entry
  std::optional<Streak> streak;
  std::vector<double> x_singular_values, sf_singular_values;

  bool has_matrices() const { return x.width > 0; }
};

}  // namespace factorize
