// What a report shows of the matrices themselves.
#pragma once

#include <cstdint>
#include <vector>

namespace factorize {

/// A square picture's values; blocks of a large matrix are averaged into one.
struct Raster {
  std::int64_t side = 0, block = 1;
  std::vector<double> values;
};

Raster reduced(std::int64_t n, const std::vector<double>& matrix);

struct View {
  Raster x, sf, tsvd;  ///< tsvd without values where there is none
  std::vector<double> x_singular_values, sf_singular_values;
};

}  // namespace factorize
