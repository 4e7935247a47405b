// What is shown beside a result: a truncated SVD, and the matrices themselves.
#pragma once

#include <chord/chord.hpp>
#include <optional>
#include <string>

#include "result.hpp"
#include "view.hpp"

namespace factorize {

struct Comparison {
  std::optional<Tsvd> tsvd;
  std::optional<RowSums> row_sums;
  std::optional<View> view;
};

/// What is to be made for it.
struct Wanted {
  bool dense;  ///< dense matrices, unless they are too large
  bool view;   ///< what a report shows
  bool paper;  ///< a truncated SVD of the paper's rank
};

/// What of it fails, for want of LAPACK or memory, is told on standard error under `name` and left out, so that the
/// result is not lost.
Comparison compare(chord::Context& context, const chord::Matrix& matrix, const chord::Factorization& factorization,
                   const std::string& name, Wanted wanted);

}  // namespace factorize
