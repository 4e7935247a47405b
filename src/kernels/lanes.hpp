// The lanes of a vector that are there: all of them, or at the end of a row the first few, which processors with masks
// load and store at once.
#pragma once

#include "operation.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace chord::CHORD_KERNELS {

template <class T, int Width>
struct AllLanes {
  CHORD_INLINE vector<T, Width> load(const T* from) const { return chord::CHORD_KERNELS::load<Width>(from); }
  CHORD_INLINE void store(T* to, const vector<T, Width>& value) const { chord::CHORD_KERNELS::store<Width>(to, value); }
};

/// The first of a vector's values, or all of them where there are as many, by halves.
template <int Width, class T>
CHORD_INLINE void store_first(T* to, const vector<T, Width>& value, std::int64_t count) {
  constexpr int Half = Width / 2;
  if (count >= Width) {
    store<Width>(to, value);
  } else if constexpr (Half == 1) {
    if (count > 0) to[0] = value[0];
  } else {
    vector<T, Half> part;
    __builtin_memcpy(&part, &value, sizeof part);
    if (count >= Half) {
      store<Half>(to, part);
      __builtin_memcpy(&part, reinterpret_cast<const char*>(&value) + sizeof part, sizeof part);
      to += Half;
      count -= Half;
    }
    store_first<Half>(to, part, count);
  }
}

/// Those that are not there are loaded as zero.
template <class T, int Width>
struct FirstLanes {
  static constexpr bool possible = false;
};

#if defined(__AVX512VL__) && defined(__AVX512DQ__)
template <>
struct FirstLanes<float, 16> {
  static constexpr bool possible = true;
  __mmask16 mask;
  CHORD_INLINE explicit FirstLanes(std::size_t count) : mask(__mmask16((1u << count) - 1)) {}
  CHORD_INLINE vector<float, 16> load(const float* from) const {
    return vector<float, 16>(_mm512_maskz_loadu_ps(mask, from));
  }
  CHORD_INLINE void store(float* to, const vector<float, 16>& value) const {
    _mm512_mask_storeu_ps(to, mask, __m512(value));
  }
};
template <>
struct FirstLanes<float, 4> {
  static constexpr bool possible = true;
  __mmask8 mask;
  CHORD_INLINE explicit FirstLanes(std::size_t count) : mask(__mmask8((1u << count) - 1)) {}
  CHORD_INLINE vector<float, 4> load(const float* from) const { return _mm_maskz_loadu_ps(mask, from); }
  CHORD_INLINE void store(float* to, const vector<float, 4>& value) const { _mm_mask_storeu_ps(to, mask, value); }
};
template <>
struct FirstLanes<double, 8> {
  static constexpr bool possible = true;
  __mmask8 mask;
  CHORD_INLINE explicit FirstLanes(std::size_t count) : mask(__mmask8((1u << count) - 1)) {}
  CHORD_INLINE vector<double, 8> load(const double* from) const {
    return vector<double, 8>(_mm512_maskz_loadu_pd(mask, from));
  }
  CHORD_INLINE void store(double* to, const vector<double, 8>& value) const {
    _mm512_mask_storeu_pd(to, mask, __m512d(value));
  }
};
#endif
#if defined(__AVX2__)
// AVX2 loads by masks as fast as without; AMD's processors take tens of cycles to store by them.
template <>
struct FirstLanes<float, 8> {
  static constexpr bool possible = true;
  std::int64_t count;
  __m256i mask;
  CHORD_INLINE explicit FirstLanes(std::size_t number)
      : count(std::int64_t(number)),
        mask(_mm256_cmpgt_epi32(_mm256_set1_epi32(int(number)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))) {}
  CHORD_INLINE vector<float, 8> load(const float* from) const { return _mm256_maskload_ps(from, mask); }
  CHORD_INLINE void store(float* to, const vector<float, 8>& value) const { store_first<8>(to, value, count); }
};
template <>
struct FirstLanes<double, 4> {
  static constexpr bool possible = true;
  std::int64_t count;
  __m256i mask;
  CHORD_INLINE explicit FirstLanes(std::size_t number)
      : count(std::int64_t(number)),
        mask(_mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3))) {}
  CHORD_INLINE vector<double, 4> load(const double* from) const { return _mm256_maskload_pd(from, mask); }
  CHORD_INLINE void store(double* to, const vector<double, 4>& value) const { store_first<4>(to, value, count); }
};
#endif

}  // namespace chord::CHORD_KERNELS
