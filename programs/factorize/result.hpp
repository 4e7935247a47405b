// What became of one matrix: all that the table, the JSON line and the report show.
#pragma once

#include <chord/chord.hpp>
#include <optional>
#include <string>
#include <vector>

#include "curve.hpp"
#include "job.hpp"

namespace factorize {

/// The truncated SVD that a factorisation is compared with.
struct Tsvd {
  int64_t rank;
  double error;
};

struct Result {
  Job job;
  chord_matrix_info matrix;
  chord_factorization_info fit;
  std::vector<int64_t> offsets;
  std::string protocol;  ///< as it was asked for; empty if a resumed file brought the pattern
  chord::DeviceInfo device;
  std::optional<Tsvd> tsvd;
  std::string output;  ///< empty if it was not to be kept
  std::vector<CurvePoint> curve;
};

/// The rank of about as many numbers as a chain's: ⌈M²/2⌉ for M = ⌈log2 n⌉ factors.
int64_t tsvd_rank(int64_t n);

/// Numbers in U, V and the singular values.
inline int64_t tsvd_nonzeros(int64_t n, int64_t rank) { return rank * (2 * n + 1); }

}  // namespace factorize
