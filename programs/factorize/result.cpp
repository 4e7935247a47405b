#include "result.hpp"

#include <algorithm>

namespace factorize {

int64_t tsvd_rank(int64_t n, int64_t numbers) {
  const int64_t one = tsvd_nonzeros(n, 1);
  return std::clamp<int64_t>(numbers / one, 1, n);
}

}  // namespace factorize
