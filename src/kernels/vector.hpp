// Short vectors: a lane of a kernel owns a few contiguous values and computes on them together.
//
// Compilers do not vectorise around an inlined kernel, so kernels say it themselves, with the vector extension
// that GCC and Clang share. A vector of one element is a scalar: the same text serves a GPU's work-item.
#pragma once

#include <cstddef>
#include <cstdint>

// A library holds the kernels several times, once per instruction set; each copy lives in a namespace of its own,
// so that the linker never mixes them.
#ifndef CHORD_KERNELS
#define CHORD_KERNELS kernels
#endif

#define CHORD_INLINE inline __attribute__((always_inline))

// For inner loops over many rows: alone in a function they have the registers for themselves, and several kernels share
// one copy. A GPU's work-item has a single row and would only pay for the call.
#if defined(CHORD_CPU) || !(defined(__SYCL_DEVICE_ONLY__) || defined(__NVPTX__))
#define CHORD_OUTLINE __attribute__((noinline))
#else
#define CHORD_OUTLINE CHORD_INLINE
#endif

namespace chord::CHORD_KERNELS {

template <class T, int Width>
struct vector_of {
  typedef T type __attribute__((vector_size(Width * sizeof(T))));  // GCC drops the attribute from a `using`
};
template <class T, int Width>
using vector = typename vector_of<T, Width>::type;

template <int Width, class T>
CHORD_INLINE vector<T, Width> load(const T* from) {
  vector<T, Width> value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

template <int Width, class T>
CHORD_INLINE void store(T* to, const vector<T, Width>& value) {
  __builtin_memcpy(to, &value, sizeof value);
}

// The sums of each of Width vectors, as one vector. Neighbours are added pairwise inside halves of 16 bytes, which is
// what processors shuffle cheaply, and the halves last; the order of the additions is fixed.
template <class T>
CHORD_INLINE void sums_of(const vector<T, 1> (&each)[1], vector<T, 1>& sums) {
  sums = each[0];
}

CHORD_INLINE vector<float, 8> sum_pairs(const vector<float, 8>& a, const vector<float, 8>& b) {
  return __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14) +
         __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
}
CHORD_INLINE vector<float, 8> sum_halves(const vector<float, 8>& a, const vector<float, 8>& b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}
CHORD_INLINE vector<double, 4> sum_pairs(const vector<double, 4>& a, const vector<double, 4>& b) {
  return __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
}
CHORD_INLINE vector<double, 4> sum_halves(const vector<double, 4>& a, const vector<double, 4>& b) {
  return __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
}

template <class T>
CHORD_INLINE void sums_of(const vector<double, 4> (&each)[4], vector<double, 4>& sums) {
  sums = sum_halves(sum_pairs(each[0], each[1]), sum_pairs(each[2], each[3]));
}
template <class T>
CHORD_INLINE void sums_of(const vector<float, 8> (&each)[8], vector<float, 8>& sums) {
  sums = sum_halves(sum_pairs(sum_pairs(each[0], each[1]), sum_pairs(each[2], each[3])),
                    sum_pairs(sum_pairs(each[4], each[5]), sum_pairs(each[6], each[7])));
}

}  // namespace chord::CHORD_KERNELS
