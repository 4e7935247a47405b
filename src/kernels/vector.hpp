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

// The sums of each of Width vectors, as one vector: neighbours are added pairwise, log2(Width) times, which costs
// a fraction of summing every vector by itself and fixes the order of the additions.
template <class T>
CHORD_INLINE void sums_of(const vector<T, 1> (&each)[1], vector<T, 1>& sums) {
  sums = each[0];
}

template <class T>
CHORD_INLINE vector<T, 2> sum_pairs(const vector<T, 2>& a, const vector<T, 2>& b) {
  return __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
}
template <class T>
CHORD_INLINE vector<T, 4> sum_pairs(const vector<T, 4>& a, const vector<T, 4>& b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}
template <class T>
CHORD_INLINE vector<T, 8> sum_pairs(const vector<T, 8>& a, const vector<T, 8>& b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) +
         __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}

template <class T>
CHORD_INLINE void sums_of(const vector<T, 2> (&each)[2], vector<T, 2>& sums) {
  sums = sum_pairs<T>(each[0], each[1]);
}
template <class T>
CHORD_INLINE void sums_of(const vector<T, 4> (&each)[4], vector<T, 4>& sums) {
  sums = sum_pairs<T>(sum_pairs<T>(each[0], each[1]), sum_pairs<T>(each[2], each[3]));
}
template <class T>
CHORD_INLINE void sums_of(const vector<T, 8> (&each)[8], vector<T, 8>& sums) {
  const vector<T, 8> low = sum_pairs<T>(sum_pairs<T>(each[0], each[1]), sum_pairs<T>(each[2], each[3]));
  const vector<T, 8> high = sum_pairs<T>(sum_pairs<T>(each[4], each[5]), sum_pairs<T>(each[6], each[7]));
  sums = sum_pairs<T>(low, high);
}

}  // namespace chord::CHORD_KERNELS
