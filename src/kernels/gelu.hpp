// The exact GELU, x·Φ(x) with Φ the normal distribution, and its slope, by polynomials: the same on every device, and
// vectors at once.
//
// Both are made of e = exp(−x²/2) and the tail Φ(−|x|) = e · t·P(t), t = 1 / (1 + p·|x|), which keeps its relative
// precision far into the tail, where 1 + erf would have lost it. Errors, tested: exp 1 unit in the last place, GELU 4
// of its value for |x| < 4, its slope 2 units of 1.
#pragma once

#include "vector.hpp"

namespace chord::CHORD_KERNELS {

// exp(r) = 1 + r + r²·Q(r) for |r| ≤ ½ ln 2, and t·P(t); fitted at Chebyshev points with 60 digits, made and checked by
// tests/tools/gelu_constants.py.
template <class T>
struct gelu_constants;

template <>
struct gelu_constants<float> {
  using Bits = std::int32_t;
  static constexpr int mantissa = 23;
  static constexpr float lowest = -87.0f, magic = 12582912.0f;  // 1.5·2^23: adding it rounds to an integer
  static constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  static constexpr float exp[] = {0.5f, 0.16666577f, 0.0416665546f, 0.00836317905f, 0.00139261836f};
  static constexpr float p = 0.35f;
  static constexpr float tail[] = {0.139619237f, 0.139901687f,  0.119532288f, 0.106730177f,  -0.0260523657f,
                                   0.163493264f, -0.259508663f, 0.145804666f, -0.0295203081f};
};

template <>
struct gelu_constants<double> {
  using Bits = std::int64_t;
  static constexpr int mantissa = 52;
  static constexpr double lowest = -708.0, magic = 6755399441055744.0;
  static constexpr double ln2_high = 6.93145751953125e-1, ln2_low = 1.42860682030941723212e-6;
  static constexpr double exp[] = {0.5,
                                   0.166666666666666667,
                                   0.0416666666666666768,
                                   0.00833333333333333401,
                                   0.0013888888888879074,
                                   0.000198412698412632991,
                                   0.0000248015873364422379,
                                   2.75573192472187308e-6,
                                   2.75572632790884969e-7,
                                   2.50520710942935468e-8,
                                   2.09181377376427364e-9,
                                   1.60866279567803688e-10};
  static constexpr double p = 0.25;
  static constexpr double tail[] = {
      0.0997355701044452974,  0.0997355698006928043,  0.0935021070735893125,   0.0810349423200656277,
      0.0635064563831180757,  0.043214271333839314,   0.023637993441322907,    0.00573859068756958894,
      0.00384774230599753611, -0.0328520996973033091, 0.0743843888068443379,   -0.191516542951627304,
      0.36300049787707889,    -0.518224984205300915,  0.54644040979494793,     -0.34999738175960387,
      0.0158358583698460202,  0.222106171800903152,   -0.245963369236141753,   0.144933907975566422,
      -0.051762697910379618,  0.0106373649991348877,  -0.000974767314605337114};
};

template <class T, int Width, int Count>
CHORD_INLINE vector<T, Width> polynomial(const T (&coefficients)[Count], const vector<T, Width>& x) {
  vector<T, Width> sum = coefficients[Count - 1] + vector<T, Width>{};
#pragma GCC unroll 32
  for (int i = Count - 2; i >= 0; --i) sum = sum * x + coefficients[i];
  return sum;
}

/// exp(x) for x ≤ 88 (double: 709); what would be below the smallest normal number is about that number.
template <class T, int Width>
CHORD_INLINE vector<T, Width> exponential(const vector<T, Width>& x) {
  using Constants = gelu_constants<T>;
  using Bits = vector<typename Constants::Bits, Width>;
  constexpr T log2_e = T(1.442695040888963407);
  const vector<T, Width> y = x < Constants::lowest ? Constants::lowest + vector<T, Width>{} : x;
  const vector<T, Width> shifted = y * log2_e + Constants::magic, k = shifted - Constants::magic;
  const vector<T, Width> r = (y - k * Constants::ln2_high) - k * Constants::ln2_low;
  const vector<T, Width> e = polynomial<T, Width>(Constants::exp, r) * (r * r) + (r + T(1));
  // k sits in the lowest bits of `shifted`; added to the exponent it multiplies by 2^k.
  return (vector<T, Width>)((Bits)e + ((Bits)shifted << Constants::mantissa));
}

/// Φ(x) and, beside it, exp(−x²/2).
template <class T, int Width>
CHORD_INLINE vector<T, Width> normal_distribution(const vector<T, Width>& x, vector<T, Width>& e) {
  using Constants = gelu_constants<T>;
  using Bits = vector<typename Constants::Bits, Width>;
  constexpr auto all_but_sign = typename Constants::Bits(~(std::uint64_t(1) << (8 * sizeof(T) - 1)));
  const vector<T, Width> magnitude = (vector<T, Width>)((Bits)x & all_but_sign);
  e = exponential<T, Width>(x * x * T(-0.5));
  const vector<T, Width> t = T(1) / (magnitude * Constants::p + T(1));
  const vector<T, Width> tail = e * (polynomial<T, Width>(Constants::tail, t) * t);
  return x < T(0) ? tail : T(1) - tail;
}

template <class T, int Width>
CHORD_INLINE vector<T, Width> gelu(const vector<T, Width>& x) {
  vector<T, Width> e;
  return x * normal_distribution<T, Width>(x, e);
}

/// Operations of one value, roughly: two polynomials, the range reduction and a division.
template <class T>
inline constexpr double gelu_flop =
    2.0 * double(sizeof(gelu_constants<T>::exp) + sizeof(gelu_constants<T>::tail)) / double(sizeof(T)) + 16;

/// gelu(x), and its derivative beside it.
template <class T, int Width>
CHORD_INLINE vector<T, Width> gelu_with_slope(const vector<T, Width>& x, vector<T, Width>& slope) {
  constexpr T density = T(0.398942280401432677940);  // 1 / √(2π)
  vector<T, Width> e;
  const vector<T, Width> phi = normal_distribution<T, Width>(x, e);
  slope = phi + x * (e * density);
  return x * phi;
}

}  // namespace chord::CHORD_KERNELS
