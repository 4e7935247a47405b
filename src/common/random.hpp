// Random numbers by counter (Philox 4×32, ten rounds: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as
// 1, 2, 3"): number i of stream s is a function of (seed, s, i) alone, the same on every machine.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace chord {

class Random {
 public:
  using Block = std::array<std::uint32_t, 4>;

  Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  /// In (0, 1), 53 bits.
  double uniform(std::uint64_t index) const { return uniform_of(block(index), 0); }

  /// Of mean 0 and variance 1 (Box and Muller).
  double normal(std::uint64_t index) const {
    constexpr double turn = 6.283185307179586;
    const auto bits = block(index);
    return std::sqrt(-2 * std::log(uniform_of(bits, 0))) * std::cos(turn * uniform_of(bits, 2));
  }

  /// All 128 bits that number `index` is made of, for those who need less than 53 of them at a time.
  Block block(std::uint64_t index) const {
    Block x = {std::uint32_t(index), std::uint32_t(index >> 32), std::uint32_t(stream_), std::uint32_t(stream_ >> 32)};
    std::uint32_t key[2] = {std::uint32_t(seed_), std::uint32_t(seed_ >> 32)};
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t a = std::uint64_t(0xD2511F53) * x[0], b = std::uint64_t(0xCD9E8D57) * x[2];
      x = {std::uint32_t(b >> 32) ^ x[1] ^ key[0], std::uint32_t(b), std::uint32_t(a >> 32) ^ x[3] ^ key[1],
           std::uint32_t(a)};
      key[0] += 0x9E3779B9;
      key[1] += 0xBB67AE85;
    }
    return x;
  }

  /// In 0 … bound − 1, bound < 2^32, made of two of a block's words.
  static std::uint32_t integer_of(const Block& bits, int first, std::uint32_t bound) {
    const std::uint64_t high = std::uint64_t(bits[first]) * bound, low = std::uint64_t(bits[first + 1]) * bound;
    return std::uint32_t((high + (low >> 32)) >> 32);
  }

 private:
  static double uniform_of(const Block& bits, int first) {
    const std::uint64_t wide = (std::uint64_t(bits[first]) << 32 | bits[first + 1]) >> 11;
    return (double(wide) + 0.5) * 0x1p-53;
  }

  std::uint64_t seed_, stream_;
};

}  // namespace chord
