// Random numbers one after the other, for what cannot say beforehand how many it needs.
#pragma once

#include "common/random.hpp"

namespace chord {

class Draws {
 public:
  explicit Draws(const Random& random) : random_(random) {}

  /// In 0 … bound − 1.
  std::uint32_t integer(std::uint32_t bound) { return Random::integer_of(random_.block(next_++), 0, bound); }
  /// In (0, 1).
  double uniform() { return random_.uniform(next_++); }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Of mean 0 and variance 1.
  double normal() { return random_.normal(next_++); }

 private:
  Random random_;
  std::uint64_t next_ = 0;
};

}  // namespace chord
