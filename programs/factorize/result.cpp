#include "result.hpp"

#include <algorithm>

namespace factorize {

int64_t tsvd_rank(int64_t n) {
  const int64_t factors = chord::full_chain_length(n);
  return std::clamp<int64_t>((factors * factors + 1) / 2, 1, n);
}

}  // namespace factorize
