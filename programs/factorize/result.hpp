// What became of one matrix: all that the table, the JSON line and the report show.
#pragma once

#include <algorithm>
#include <chord/chord.hpp>
#include <optional>
#include <string>
#include <vector>

#include "curve.hpp"
#include "job.hpp"
#include "parts.hpp"

namespace factorize {

/// The truncated SVD that a factorisation is compared with.
struct Tsvd {
  int64_t rank;
  double error;
};

/// Of the matrix that a stochastic product was fitted to.
struct RowSums {
  double lowest, highest;
};

struct Result {
  Job job;
  chord_matrix_info matrix;
  chord_factorization_info fit;
  PartSizes parts;
  std::vector<int64_t> offsets;
  std::string protocol;  ///< as it was asked for; empty if a resumed file brought the pattern
  chord::DeviceInfo device;
  std::optional<Tsvd> tsvd;
  std::optional<RowSums> row_sums;  ///< X's, where they matter and are known
  std::string output;               ///< empty if it was not to be kept
  std::vector<CurvePoint> curve;
  int starts = 0;  ///< that raced
};

/// Numbers in U, V and the singular values; `matrix`: X's info, or X̂'s.
template <class Info>
int64_t tsvd_nonzeros(const Info& matrix, int64_t rank) {
  return rank * (matrix.rows + matrix.columns + 1);
}

/// The highest rank, but 1 at least, that has no more numbers than so many.
template <class Info>
int64_t tsvd_rank(const Info& matrix, int64_t numbers) {
  return std::clamp<int64_t>(numbers / tsvd_nonzeros(matrix, 1), 1, std::min(matrix.rows, matrix.columns));
}

/// "3 × 5"
template <class Info>
std::string extent_text(const Info& matrix) {
  return std::to_string(matrix.rows) + " × " + std::to_string(matrix.columns);
}

/// Whether the zeros of a matrix are worth leaving out.
inline bool is_sparse(const chord_matrix_info& matrix) { return matrix.nonzeros < matrix.rows * matrix.columns / 2; }

/// What X itself takes: its non-zeros where it is sparse, else all of it.
inline int64_t own_numbers(const chord_matrix_info& matrix) {
  return is_sparse(matrix) ? matrix.nonzeros : matrix.rows * matrix.columns;
}

}  // namespace factorize
