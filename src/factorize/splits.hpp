// How the numbers that X̂ may have are split between its parts.
#pragma once

#include "factorize/problem.hpp"

namespace chord {

/// Ways to spend them, the one with the most factors first; never empty. A fit finds out which is the best.
using Splits = std::vector<FitProblem>;

/// What is asked of a part: how much of it there is to be, or that there is to be none.
inline constexpr std::int64_t no_part = -1;

struct PartsWanted {
  std::int64_t numbers = 0;  ///< of all parts together; 0: as the parts say
  std::int64_t factors = 0;  ///< 0: as many as make a full matrix, or as the numbers allow
  std::int64_t rank = 0;     ///< 0: none, or as the numbers allow
  std::int64_t entries = 0;
};

/// Whether a fit knows X by its products alone: an operator, or a sparse matrix too large for anything else.
bool by_products(const FitProblem& problem);

/// Throws where the parts do not go together with each other, the numbers, the matrix or the constraint. Without a
/// matrix X is an operator.
Splits splits_of(const std::shared_ptr<const Pattern>& pattern, const Matrix* matrix, Constraint constraint,
                 const PartsWanted& wanted);

}  // namespace chord
