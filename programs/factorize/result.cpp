#include "result.hpp"

#include <algorithm>

namespace factorize {

int64_t tsvd_rank(int64_t n) {
  const int64_t factors = chord::full_chain_length(n);
  return std::clamp<int64_t>((factors * factors + 1) / 2, 1, n);
}

const char* constraint_name(int32_t constraint) {
  switch (constraint) {
    case CHORD_CONSTRAINT_NONE: return "none";
    case CHORD_CONSTRAINT_NONNEGATIVE: return "nonnegative";
    case CHORD_CONSTRAINT_STOCHASTIC: return "stochastic";
    case CHORD_CONSTRAINT_SYMMETRIC: return "symmetric";
    case CHORD_CONSTRAINT_SEMIDEFINITE: return "psd";
    default: return "unknown";
  }
}

const char* stop_name(int32_t stop) {
  switch (stop) {
    case CHORD_STOP_GRADIENT: return "gradient";
    case CHORD_STOP_IMPROVEMENT: return "improvement";
    case CHORD_STOP_ITERATIONS: return "iterations";
    case CHORD_STOP_SECONDS: return "seconds";
    case CHORD_STOP_CANCELLED: return "cancelled";
    default: return "unknown";
  }
}

}  // namespace factorize
