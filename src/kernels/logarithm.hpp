// The natural logarithm and the cosine in double precision, for the few places that need them; the same on every
// device.
#pragma once

#include "vector.hpp"

namespace chord::CHORD_KERNELS {

/// ln x for normal numbers x > 0, to 2 units in the last place: x = m·2^k with m around 1, and ln m = 2
/// artanh((m−1)/(m+1)).
CHORD_INLINE double logarithm(double x) {
  constexpr double ln2 = 0.693147180559945309417;
  std::uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  // Subtracting the bits of √½ makes the exponent's field count from there: m is in [√½, √2).
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCD;
  const std::int64_t k = std::int64_t(bits - root_half) >> 52;
  bits -= std::uint64_t(k) << 52;
  double m;
  __builtin_memcpy(&m, &bits, sizeof m);
  const double s = (m - 1) / (m + 1), z = s * s;  // z < 0.0295
  double sum = 0;
#pragma GCC unroll 16
  for (int i = 21; i >= 3; i -= 2) sum = (sum + 1.0 / i) * z;
  return double(k) * ln2 + (2 * s + 2 * s * sum);
}

/// cos(2π·x) for 0 ≤ x < 1: the power series of the sine or the cosine in the nearest eighth of a turn.
CHORD_INLINE double cosine_of_turns(double x) {
  constexpr double turn = 6.283185307179586476925;
  const int quarter = int(x * 4 + 0.5);                     // NOLINT(bugprone-incorrect-roundings): x is not negative
  const double r = (x - 0.25 * quarter) * turn, z = r * r;  // |r| ≤ π/4
  double cosine = 1, sine = 1;
#pragma GCC unroll 16
  for (int i = 16; i >= 2; i -= 2) {
    cosine = 1 - z / (i * (i - 1)) * cosine;
    sine = 1 - z / (i * (i + 1)) * sine;
  }
  const double value = quarter % 2 ? r * sine : cosine;
  return quarter == 1 || quarter == 2 ? -value : value;
}

}  // namespace chord::CHORD_KERNELS
