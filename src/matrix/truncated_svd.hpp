// The best approximation of a rank, which every other one is compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "matrix/matrix.hpp"

namespace chord {

/// The Frobenius norm of X − X_r. Where given, singular_values gets all of them, as many as the shorter side has,
/// falling, and approximation X_r, row by row.
double truncated_svd(const Matrix& matrix, std::int64_t rank, double* singular_values, double* approximation);

/// X = Σ_k values[k] · left[k] · right[k]ᵀ, values falling.
struct SingularVectors {
  std::int64_t n;
  std::vector<double> values;       ///< all n
  std::vector<double> left, right;  ///< vector after vector, `count` of each
  std::int64_t count;
};

/// The first `count` vectors of each side.
SingularVectors singular_vectors(const Matrix& matrix, std::int64_t count);

}  // namespace chord
