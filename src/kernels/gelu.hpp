// The exact GELU, x·Φ(x) with Φ the normal distribution, and its slope, by polynomials: the same on every device, and
// vectors at once.
//
// Both are made of e = exp(−x²/2) and the tail Φ(−|x|) = e · N(|x|) / D(|x|), which keeps its relative precision far
// into the tail, where 1 + erf would have lost it. Errors, tested: exp 1 unit in the last place, GELU 4½ of its value
// for |x| < 4, its slope 2 units of 1.
#pragma once

#include "gelu_table.hpp"

namespace chord::CHORD_KERNELS {

// exp(r) = 1 + r + r²·Q(r) for |r| ≤ ½ ln 2, and N, D; fitted at Chebyshev points with 60 digits, made and checked by
// tests/tools/gelu_constants.py.
template <class T>
struct gelu_constants;

template <>
struct gelu_constants<float> {
  using Bits = std::int32_t;
  static constexpr int mantissa = 23;
  static constexpr float lowest = -87.0f, farthest = 13.0f,
                         magic = 12582912.0f;  // 1.5·2^23: adding it rounds to an integer
  static constexpr float ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  static constexpr float exp[] = {0.5f, 0.16666577f, 0.0416665546f, 0.00836317905f, 0.00139261836f};
  static constexpr float numerator[] = {0.499999975f, 0.332384939f, 0.103333078f, 0.0133862792f};
  static constexpr float denominator[] = {1.0f, 1.46265135f, 0.873723142f, 0.258423713f, 0.0335772222f};
};

template <>
struct gelu_constants<double> {
  using Bits = std::int64_t;
  static constexpr int mantissa = 52;
  static constexpr double lowest = -708.0, farthest = 37.0, magic = 6755399441055744.0;
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
  static constexpr double numerator[] = {0.499999999999999986,   0.775119411889819062,    0.594373230559107357,
                                         0.289546943967193083,   0.0977864795134876855,   0.0236459888817525284,
                                         0.00409357460112010277, 0.000490905677493181511, 0.0000372840261378461405,
                                         1.38614288586080917e-6};
  static constexpr double denominator[] = {1.0,
                                           2.3481233845824973,
                                           2.56227785653697364,
                                           1.71539565812578103,
                                           0.782632207204960426,
                                           0.255188498584590425,
                                           0.0604952736808012339,
                                           0.0103545270229823808,
                                           0.00123399259651905956,
                                           0.0000934571941072141691,
                                           3.47454495038687732e-6};
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

/// The polynomial of exp for an argument s = −2r: exp(−s/2).
template <class T>
struct GaussianPolynomial {
  static constexpr int rest = sizeof(gelu_constants<T>::exp) / sizeof(T), count = rest + 2;
  T coefficients[count];

  constexpr GaussianPolynomial() : coefficients{T(1), T(-0.5)} {
    T power = T(0.25);
    for (int i = 0; i < rest; ++i, power *= T(-0.5)) coefficients[i + 2] = gelu_constants<T>::exp[i] * power;
  }
};
template <class T>
inline constexpr GaussianPolynomial<T> gaussian_polynomial;

/// Whether a product is added without being rounded before.
#ifdef __FMA__
inline constexpr bool fuses_products = true;
#else
inline constexpr bool fuses_products = false;
#endif

/// exp(−u/2) for u ≥ 0 that is not too large: as exponential(−u/2), with fewer operations. Of float32, ln 2 is precise
/// enough in one piece where its product is not rounded: k is 12 at most where relative precision is claimed.
template <class T, int Width>
CHORD_INLINE vector<T, Width> gaussian(const vector<T, Width>& u) {
  using Constants = gelu_constants<T>;
  using Bits = vector<typename Constants::Bits, Width>;
  constexpr T half_log2_e = T(0.721347520444481703680);
  const vector<T, Width> shifted = u * -half_log2_e + Constants::magic, k = shifted - Constants::magic;
  constexpr bool one_piece = fuses_products && sizeof(T) == sizeof(float);
  const vector<T, Width> s = one_piece ? u + k * (2 * (Constants::ln2_high + Constants::ln2_low))
                                       : (u + k * (2 * Constants::ln2_high)) + k * (2 * Constants::ln2_low);
  const vector<T, Width> e = polynomial<T, Width>(gaussian_polynomial<T>.coefficients, s);
  return (vector<T, Width>)((Bits)e + ((Bits)shifted << Constants::mantissa));
}

/// The smaller one of x and a limit; what is no number stays none. GCC takes two instructions for what is one.
template <class T, int Width>
CHORD_INLINE vector<T, Width> at_most(T limit, const vector<T, Width>& x) {
#ifdef __AVX2__
  if constexpr (sizeof(T) == sizeof(float) && Width == 8) return _mm256_min_ps(_mm256_set1_ps(limit), x);
#endif
  return x > limit ? limit + vector<T, Width>{} : x;
}

/// What GELU and its slope are made of.
template <class T, int Width>
struct Tail {
  vector<T, Width> magnitude;  ///< |x|, or the farthest
  vector<T, Width> bell;       ///< exp(−x²/2)
  vector<T, Width> ratio;      ///< Φ(−|x|) / exp(−x²/2)

  CHORD_INLINE explicit Tail(const vector<T, Width>& x) {
    using Constants = gelu_constants<T>;
    using Bits = vector<typename Constants::Bits, Width>;
    constexpr auto all_but_sign = typename Constants::Bits(~(std::uint64_t(1) << (8 * sizeof(T) - 1)));
    const vector<T, Width> all = (vector<T, Width>)((Bits)x & all_but_sign);
    magnitude = at_most<T, Width>(Constants::farthest, all);  // what is farther changes nothing any more
    bell = gaussian<T, Width>(magnitude * magnitude);
    ratio =
        polynomial<T, Width>(Constants::numerator, magnitude) / polynomial<T, Width>(Constants::denominator, magnitude);
  }

  /// max(x, 0) − |x|·Φ(−|x|)
  CHORD_INLINE vector<T, Width> gelu(const vector<T, Width>& x) const {
    using Bits = vector<typename gelu_constants<T>::Bits, Width>;
    const vector<T, Width> positive = (vector<T, Width>)((Bits)x > 0 ? (Bits)x : Bits{});
    return positive - magnitude * (bell * ratio);
  }

  /// Φ(x) + x·φ(x), by what it is at −|x|
  CHORD_INLINE vector<T, Width> slope(const vector<T, Width>& x) const {
    constexpr T density = T(0.398942280401432677940);  // 1 / √(2π)
    const vector<T, Width> left = bell * (ratio - magnitude * density);
    return x < T(0) ? left : T(1) - left;
  }
};

/// Registers of 16 float32 have lookups, which cost less. SYCL has none.
template <class T, int Width>
struct TailFor {
  using type = Tail<T, Width>;
};
#ifndef __SYCL_DEVICE_ONLY__
template <>
struct TailFor<float, 16> {
  using type = TableTail<16>;
};
#endif

template <class T, int Width>
CHORD_INLINE vector<T, Width> gelu(const vector<T, Width>& x) {
  return typename TailFor<T, Width>::type(x).gelu(x);
}

/// Operations of one value, roughly: two polynomials, the range reduction and a division.
template <class T>
inline constexpr double gelu_flop = 2.0 *
                                        double(sizeof(gelu_constants<T>::exp) + sizeof(gelu_constants<T>::numerator) +
                                               sizeof(gelu_constants<T>::denominator)) /
                                        double(sizeof(T)) +
                                    14;

/// gelu(x), and its derivative beside it.
template <class T, int Width>
CHORD_INLINE vector<T, Width> gelu_with_slope(const vector<T, Width>& x, vector<T, Width>& slope) {
  const typename TailFor<T, Width>::type tail(x);
  slope = tail.slope(x);
  return tail.gelu(x);
}

CHORD_INLINE float smaller(float a, float b) { return __builtin_fminf(a, b); }
CHORD_INLINE double smaller(double a, double b) { return __builtin_fmin(a, b); }

/// 1 / x for 1 ≤ x ≤ 2^100 by Newton's steps, each of which doubles the digits, from what the exponent turned round
/// gives. On GPUs: they have no division, and make one with a branch.
CHORD_INLINE float newton_reciprocal(float x) {
  std::int32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits = 0x7ef311c7 - bits;
  float y;
  __builtin_memcpy(&y, &bits, sizeof y);
  const float error = 1 - x * y;
  y += y * (error * error + error);  // a step of the next order: two more would not be enough
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) y += y * (1 - x * y);
  return y;
}
CHORD_INLINE double newton_reciprocal(double x) {
  std::int64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits = 0x7fde623822fc16e6 - bits;
  double y;
  __builtin_memcpy(&y, &bits, sizeof y);
#pragma GCC unroll 5
  for (int i = 0; i < 5; ++i) y += y * (1 - x * y);
  return y;
}

/// The same as a GPU's lane makes it. NVIDIA's have an instruction, right to a unit in the last place, for float32.
struct Reciprocal {
#ifdef __NVPTX__
  CHORD_INLINE float operator()(float x) const {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
#else
  CHORD_INLINE float operator()(float x) const { return newton_reciprocal(x); }
#endif
  CHORD_INLINE double operator()(double x) const { return newton_reciprocal(x); }
};

/// gelu(x) and its derivative for one value on a GPU: the same formula, without a division.
template <class T, class Inverse = Reciprocal>
CHORD_INLINE T gelu_of_lane(T x, T& slope, Inverse reciprocal = {}) {
  using Constants = gelu_constants<T>;
  constexpr T density = T(0.398942280401432677940);
  const T magnitude = smaller(x < T(0) ? -x : x, Constants::farthest);
  const vector<T, 1> a = vector<T, 1>{} + magnitude;
  const T bell = gaussian<T, 1>(a * a)[0];
  const T ratio =
      polynomial<T, 1>(Constants::numerator, a)[0] * reciprocal(polynomial<T, 1>(Constants::denominator, a)[0]);
  const T left = bell * (ratio - magnitude * density);
  slope = x < T(0) ? left : T(1) - left;
  return (x < T(0) ? T(0) : x) - magnitude * (bell * ratio);
}

template <class T>
CHORD_INLINE vector<T, 4> gelu_of_four(const vector<T, 4>& x, vector<T, 4>& slopes) {
  vector<T, 4> values = {};
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    T slope;
    values[i] = gelu_of_lane<T>(x[i], slope);
    slopes[i] = slope;
  }
  return values;
}

}  // namespace chord::CHORD_KERNELS
