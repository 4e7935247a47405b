// MatrixMarket text files: https://math.nist.gov/MatrixMarket/formats.html. Real, integer or pattern; not complex.
#pragma once

#include <string_view>

#include "matrix/matrix.hpp"

namespace chord {

inline constexpr std::string_view matrix_market_banner = "%%MatrixMarket";

/// Sparse from a coordinate file, dense from an array file. Errors tell the line.
Matrix::Values parse_matrix_market(std::string_view content);

}  // namespace chord
