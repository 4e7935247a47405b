// Random bits by counter (Philox 4×32, ten rounds: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as
// 1, 2, 3"): a pure function of a key and a counter, the same on every device.
#pragma once

#include "vector.hpp"

namespace chord::CHORD_KERNELS {

/// Replaces the counter by 128 random bits.
CHORD_INLINE void philox(std::uint32_t (&x)[4], std::uint32_t key_low, std::uint32_t key_high) {
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t(0xD2511F53) * x[0], b = std::uint64_t(0xCD9E8D57) * x[2];
    x[0] = std::uint32_t(b >> 32) ^ x[1] ^ key_low;
    x[1] = std::uint32_t(b);
    x[2] = std::uint32_t(a >> 32) ^ x[3] ^ key_high;
    x[3] = std::uint32_t(a);
    key_low += 0x9E3779B9;
    key_high += 0xBB67AE85;
  }
}

/// The same for Count counters at once, x[·][counter]: plain loops, which compilers make vectors of.
template <int Count>
CHORD_OUTLINE void philox_of_many(std::uint32_t (&x)[4][Count], std::uint32_t key_low, std::uint32_t key_high) {
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < Count; ++i) {
      const std::uint64_t a = std::uint64_t(0xD2511F53) * x[0][i], b = std::uint64_t(0xCD9E8D57) * x[2][i];
      const std::uint32_t second = x[1][i], fourth = x[3][i];
      x[0][i] = std::uint32_t(b >> 32) ^ second ^ key_low;
      x[1][i] = std::uint32_t(b);
      x[2][i] = std::uint32_t(a >> 32) ^ fourth ^ key_high;
      x[3][i] = std::uint32_t(a);
    }
    key_low += 0x9E3779B9;
    key_high += 0xBB67AE85;
  }
}

/// 53 of 64 random bits as a number in (0, 1).
CHORD_INLINE double uniform_of(std::uint32_t high, std::uint32_t low) {
  return (double((std::uint64_t(high) << 32 | low) >> 11) + 0.5) * 0x1p-53;
}

}  // namespace chord::CHORD_KERNELS
