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
  std::optional<View> view;
};

/// What of it fails, for want of LAPACK or memory, is told on standard error under `name` and left out, so that the
/// result is not lost. `with_view`: for a report.
Comparison compare(chord::Context& context, const chord::Matrix& matrix, const chord::Factorization& factorization,
                   const std::string& name, bool with_view);

}  // namespace factorize
