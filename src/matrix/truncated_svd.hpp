// The best approximation of a rank, which every other one is compared with.
#pragma once

#include <cstdint>

#include "matrix/matrix.hpp"

namespace chord {

/// The Frobenius norm of X − X_r. Where given, singular_values gets all n of them, falling, and approximation X_r, row
/// by row.
double truncated_svd(const Matrix& matrix, std::int64_t rank, double* singular_values, double* approximation);

}  // namespace chord
