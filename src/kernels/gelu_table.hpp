// GELU of float32 by a table of polynomials, for processors that look up 32 numbers in registers: no exponential, no
// division.
//
// Φ(−a) for a = |x| around every quarter below 7.75 is a polynomial of fifth degree, good to 4 units in the last place
// up to a = 4; beyond 7.75, where GELU is below 4·10⁻¹⁴, it is zero. Its derivative is −φ(a), and the slope is made of
// both.
#pragma once

#include "vector.hpp"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace chord::CHORD_KERNELS {

/// Coefficients by power, then quarter; made and checked by tests/tools/gelu_constants.py.
struct gelu_table {
  static constexpr int quarters = 32, powers = 6;
  // clang-format off: would take a line for each number
  static constexpr float coefficients[powers][quarters] = {
      {0.5f, 0.401293665f, 0.308537543f, 0.22662735f, 0.158655256f, 0.105649777f, 0.066807203f, 0.0400591567f,
       0.0227501318f, 0.0122244721f, 0.00620966544f, 0.00297976332f, 0.00134989806f, 0.000577025057f,
       0.0002326291f, 8.84172987e-5f, 3.16712503e-5f, 1.06885309e-5f, 3.39767575e-6f, 1.0170844e-6f,
       2.86652067e-7f, 7.60497869e-8f, 1.89896241e-8f, 4.46219195e-9f, 9.86593474e-10f, 2.05227918e-10f,
       4.01604063e-11f, 7.39235236e-12f, 1.27983323e-12f, 2.08390041e-13f, 3.19097233e-14f, 0.0f},
      {-0.398942292f, -0.386668116f, -0.352065325f, -0.301137418f, -0.241970718f, -0.182649091f, -0.1295176f,
       -0.086277321f, -0.0539909676f, -0.0317396522f, -0.0175283011f, -0.00909356214f, -0.00443184841f,
       -0.00202904805f, -0.000872682722f, -0.0003525957f, -0.000133830225f, -4.77186368e-5f, -1.59837418e-5f,
       -5.02950797e-6f, -1.48671973e-6f, -4.12847214e-7f, -1.07697637e-7f, -2.63924456e-8f, -6.0758869e-9f,
       -1.31400302e-9f, -2.66955985e-10f, -5.09494599e-11f, -9.13473897e-12f, -1.53854186e-12f,
       -2.43432824e-13f, 0.0f},
      {-4.31306901e-8f, 0.04833325f, 0.088015914f, 0.112926118f, 0.120985083f, 0.114155598f, 0.0971382856f,
       0.0754928365f, 0.0539911501f, 0.0357072428f, 0.0219104458f, 0.0125036649f, 0.00664775772f,
       0.00329717691f, 0.00152716995f, 0.000661098689f, 0.000267649099f, 0.000101395875f, 3.59603546e-5f,
       1.19437145e-5f, 3.71624287e-6f, 1.08351605e-6f, 2.96096971e-7f, 7.58555458e-8f, 1.82209714e-8f,
       4.10443368e-9f, 8.67144301e-10f, 1.71845413e-10f, 3.19476737e-11f, 5.57232862e-12f, 9.11942397e-13f,
       0.0f},
      {0.0664917752f, 0.0604167655f, 0.0440081209f, 0.0219579842f, 1.05218454e-7f, -0.0171232391f,
       -0.0269827563f, -0.0296578035f, -0.0269954987f, -0.0214904249f, -0.0153372986f, -0.0099461088f,
       -0.00590914302f, -0.00323379738f, -0.00163627719f, -0.000767626043f, -0.000334572076f, -0.000135697541f,
       -5.12798397e-5f, -1.80741263e-5f, -5.94657877e-6f, -1.82758686e-6f, -5.24980692e-7f, -1.41019214e-7f,
       -3.54378464e-8f, -8.33431102e-9f, -1.8349493e-9f, -3.78313464e-10f, -7.30566649e-11f, -1.32173066e-11f,
       -2.24070914e-12f, 0.0f},
      {-1.93511733e-5f, -0.0117864925f, -0.020098567f, -0.0228670724f, -0.0201170165f, -0.0136613725f,
       -0.00608648034f, 0.000362566527f, 0.00446765916f, 0.0061139348f, 0.00592201343f, 0.00475117611f,
       0.00332646514f, 0.00208240934f, 0.00118144031f, 0.000612571661f, 0.00029190135f, 0.000128342916f,
       5.22197734e-5f, 1.97058071e-5f, 6.90888464e-6f, 2.25363078e-6f, 6.84719566e-7f, 1.93957405e-7f,
       5.12632212e-8f, 1.26503146e-8f, 2.91635827e-9f, 6.28403773e-10f, 1.26613928e-10f, 2.38633904e-11f,
       4.20857273e-12f, 0.0f},
      {-0.00986952148f, -0.00844896771f, -0.00457654009f, 0.000139019234f, 0.00401487807f, 0.00596814044f,
       0.00585570466f, 0.00430669636f, 0.00225237012f, 0.000468003534f, -0.000660290068f, -0.00111855287f,
       -0.00110598106f, -0.000865250535f, -0.000579105865f, -0.000342663639f, -0.000182383825f, -8.82325621e-5f,
       -3.90623718e-5f, -1.590174e-5f, -5.97310918e-6f, -2.07574294e-6f, -6.68742814e-7f, -2.00065287e-7f,
       -5.56535298e-8f, -1.44112846e-8f, -3.47699824e-9f, -7.82239218e-10f, -1.64210381e-10f, -3.21840297e-11f,
       -5.89222551e-12f, 0.0f}};
  // clang-format on
};

/// table[the lowest five bits of an index]
template <int Width>
CHORD_INLINE vector<float, Width> look_up(const float (&table)[gelu_table::quarters],
                                          const vector<std::int32_t, Width>& index) {
#ifdef __AVX512F__
  if constexpr (Width == 16)
    return vector<float, Width>(
        _mm512_permutex2var_ps(_mm512_loadu_ps(table), __m512i(index), _mm512_loadu_ps(table + 16)));
#endif
  vector<float, Width> found = {};
  for (int i = 0; i < Width; ++i) found[i] = table[index[i] & (gelu_table::quarters - 1)];
  return found;
}

/// What GELU and its slope are made of.
template <int Width>
struct TableTail {
  vector<float, Width> magnitude;  ///< |x|, or the farthest
  vector<float, Width> tail;       ///< Φ(−|x|)
  vector<float, Width> change;     ///< its derivative by |x|

  CHORD_INLINE explicit TableTail(const vector<float, Width>& x) {
    using Bits = vector<std::int32_t, Width>;
    constexpr float farthest = 7.75f, magic = 12582912.0f;  // 1.5·2^23: adding it rounds to an integer
    const vector<float, Width> all = (vector<float, Width>)((Bits)x & 0x7FFFFFFF);
    // What is no number stays none.
    magnitude = all > farthest ? farthest + vector<float, Width>{} : all;
    const vector<float, Width> shifted = magnitude * 4.0f + magic;
    const vector<float, Width> from_quarter = magnitude - (shifted - magic) * 0.25f;
    const auto& table = gelu_table::coefficients;
    tail = look_up<Width>(table[gelu_table::powers - 1], (Bits)shifted);
    change = vector<float, Width>{};
#pragma GCC unroll 8
    for (int i = gelu_table::powers - 2; i >= 0; --i) {
      change = i == gelu_table::powers - 2 ? tail : change * from_quarter + tail;
      tail = tail * from_quarter + look_up<Width>(table[i], (Bits)shifted);
    }
  }

  /// max(x, 0) − |x|·Φ(−|x|)
  CHORD_INLINE vector<float, Width> gelu(const vector<float, Width>& x) const {
    using Bits = vector<std::int32_t, Width>;
    const vector<float, Width> positive = (vector<float, Width>)((Bits)x > 0 ? (Bits)x : Bits{});
    return positive - magnitude * tail;
  }

  /// Φ(x) + x·φ(x), by what it is at −|x|
  CHORD_INLINE vector<float, Width> slope(const vector<float, Width>& x) const {
    const vector<float, Width> left = tail + magnitude * change;
    return x < 0.0f ? left : 1.0f - left;
  }
};

}  // namespace chord::CHORD_KERNELS
