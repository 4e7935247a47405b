// Random numbers by counter: number i of stream s is a function of (seed, s, i) alone, the same on every machine.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "kernels/philox.hpp"

namespace chord {

class Random {
 public:
  using Block = std::array<std::uint32_t, 4>;

  Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  std::uint64_t seed() const { return seed_; }
  std::uint64_t stream() const { return stream_; }

  /// A number in (0, 1), of 53 bits.
  double uniform(std::uint64_t index) const { return uniform_of(block(index), 0); }

  /// A number of mean 0 and variance 1 (Box and Muller).
  double normal(std::uint64_t index) const {
    constexpr double turn = 6.283185307179586;
    const auto bits = block(index);
    return std::sqrt(-2 * std::log(uniform_of(bits, 0))) * std::cos(turn * uniform_of(bits, 2));
  }

  /// All 128 bits that number `index` is made of, for those who need less than 53 of them at a time.
  Block block(std::uint64_t index) const {
    std::uint32_t x[4] = {std::uint32_t(index), std::uint32_t(index >> 32), std::uint32_t(stream_),
                          std::uint32_t(stream_ >> 32)};
    kernels::philox(x, std::uint32_t(seed_), std::uint32_t(seed_ >> 32));
    return {x[0], x[1], x[2], x[3]};
  }

  /// A number in 0 … bound − 1, bound < 2^32, made of two of a block's words.
  static std::uint32_t integer_of(const Block& bits, int first, std::uint32_t bound) {
    const std::uint64_t high = std::uint64_t(bits[first]) * bound, low = std::uint64_t(bits[first + 1]) * bound;
    return std::uint32_t((high + (low >> 32)) >> 32);
  }

 private:
  static double uniform_of(const Block& bits, int first) { return kernels::uniform_of(bits[first], bits[first + 1]); }

  std::uint64_t seed_, stream_;
};

}  // namespace chord
