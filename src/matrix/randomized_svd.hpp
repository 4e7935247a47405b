// A truncated SVD of an operator, nearly the best one, from its products with few columns (Halko, Martinsson and Tropp,
// "Finding structure with randomness", 2011).
#pragma once

#include "common/random.hpp"
#include "matrix/operator.hpp"

namespace chord {

/// X ≈ u vᵀ, as many columns as the rank has; each singular value is shared by its two columns, the largest first.
struct LowRankFactors {
  Panel u, v;
};

/// How many columns more than the rank a range is looked for with.
inline constexpr std::int64_t more_than_rank = 10;

/// Columns of signs, +size and −size.
Panel random_signs(std::int64_t n, std::int64_t columns, double size, const Random& random);

/// The best approximation within the range of X · columns.
LowRankFactors low_rank_within(const Operator& x, const Panel& columns, std::int64_t rank);

/// Begins with random columns and refines their range `turns` times.
LowRankFactors randomized_svd(const Operator& x, std::int64_t rank, int turns, const Random& random);

/// The same, from where another one, of any rank, has come.
LowRankFactors refined(const Operator& x, const LowRankFactors& from, std::int64_t rank, const Random& random);

/// out −= u (vᵀ in); both n × columns values, row by row.
void subtract_product(const LowRankFactors& part, const double* in, double* out, std::int64_t columns);

}  // namespace chord
