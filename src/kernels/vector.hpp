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
// The same for a lambda: [&](int i) CHORD_INLINED { … }
#define CHORD_INLINED __attribute__((always_inline))

// Before a loop that is not to be unrolled on a GPU. Hosts may: GCC takes the wish for simple loops only.
#ifdef __clang__
#define CHORD_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define CHORD_ROLLED
#endif

// For inner loops over many rows: alone in a function they have the registers for themselves, and several kernels share
// one copy. A GPU's work-item has a single row and would only pay for the call.
#if defined(CHORD_CPU) || !(defined(__SYCL_DEVICE_ONLY__) || defined(__NVPTX__) || defined(__AMDGCN__))
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

/// Keeps a value in a register: compilers would load what is used twice from memory twice.
template <class V>
CHORD_INLINE void hold([[maybe_unused]] V& value) {
#if defined(__AVX512F__)
  asm("" : "+v"(value));
#elif defined(__AVX2__)
  asm("" : "+x"(value));
#endif
}

/// Asks a CPU's cache for what is soon to be read or written: rows that lie far from those before are not guessed.
enum class Access { read, write };
template <Access Kind, class T>
CHORD_INLINE void prefetch([[maybe_unused]] const T* from, [[maybe_unused]] std::int64_t count) {
#if !defined(__SYCL_DEVICE_ONLY__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
  constexpr int line = 64 / sizeof(T);
  for (std::int64_t i = 0; i < count; i += line) __builtin_prefetch(from + i, Kind == Access::write, 2);
#endif
}

/// A product of 64 bits. NVIDIA's GPUs have an instruction for it, and with an addition; compilers do not find it where
/// a factor is a loop's constant, which they widen before the loop, and take five.
CHORD_INLINE std::int64_t wide_product(std::int32_t a, std::int32_t b) {
#ifdef __NVPTX__
  std::int64_t product;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
  return product;
#else
  return std::int64_t(a) * std::int64_t(b);
#endif
}

/// Where vectors of Width values can be read and written at once, which GPUs insist on: at multiples of their size, but
/// no more than 16 bytes are.
template <int Width, class T>
inline constexpr std::size_t vector_alignment = Width * sizeof(T) < 16 ? Width * sizeof(T) : 16;

template <int Width, class T>
CHORD_INLINE bool is_aligned(const T* place) {
  return Width == 1 || reinterpret_cast<std::uintptr_t>(place) % vector_alignment<Width, T> == 0;
}

/// A vector at such a place. A type says it for good: what is assumed of a pointer, compilers lose when they move a
/// load.
template <class T, int Width>
struct aligned_vector_of {
  typedef T type
      __attribute__((vector_size(Width * sizeof(T)), aligned(vector_alignment<Width, T>), may_alias));  // as above
};
template <class T, int Width>
using aligned_vector = typename aligned_vector_of<T, Width>::type;

/// From and to such places.
template <int Width, class T>
CHORD_INLINE vector<T, Width> load_aligned(const T* from) {
  return *reinterpret_cast<const aligned_vector<T, Width>*>(from);
}
template <int Width, class T>
CHORD_INLINE void store_aligned(T* to, const vector<T, Width>& value) {
  __builtin_memcpy(__builtin_assume_aligned(to, vector_alignment<Width, T>), &value, sizeof value);
}

/// A number of values as a type: for who is told how many to take at a time.
template <int Count>
struct Width {};

/// body(Number<1>()) … body(Number<4>()): for counts that registers are for.
template <int Value>
struct Number {
  static constexpr int value = Value;
};
template <class Body>
CHORD_INLINE void with_number(int count, Body body) {
  if (count == 1) body(Number<1>());
  if (count == 2) body(Number<2>());
  if (count == 3) body(Number<3>());
  if (count == 4) body(Number<4>());
}

template <int Width, class T>
CHORD_INLINE vector<T, Width> all_of(T value) {
  return vector<T, Width>{} + value;
}

/// Width neighbouring values, or as many of them as there are.
template <int Width, class T>
CHORD_INLINE vector<T, Width> load_some(const T* from, std::int64_t count) {
  if (count >= Width && is_aligned<Width>(from)) return load_aligned<Width>(from);
  vector<T, Width> value = {};
#pragma GCC unroll 8
  for (int i = 0; i < Width; ++i)
    if (i < count) value[i] = from[i];
  return value;
}
template <int Width, class T>
CHORD_INLINE void store_some(T* to, const vector<T, Width>& value, std::int64_t count) {
  if (count >= Width && is_aligned<Width>(to)) return store_aligned<Width>(to, value);
#pragma GCC unroll 8
  for (int i = 0; i < Width; ++i)
    if (i < count) to[i] = value[i];
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
CHORD_INLINE vector<float, 16> sum_pairs(const vector<float, 16>& a, const vector<float, 16>& b) {
  return __builtin_shufflevector(a, b, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30) +
         __builtin_shufflevector(a, b, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31);
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
CHORD_INLINE vector<double, 8> sum_pairs(const vector<double, 8>& a, const vector<double, 8>& b) {
  return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
         __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}
/// Neighbouring parts of 16 bytes of one, then those of the other.
CHORD_INLINE vector<double, 8> sum_parts(const vector<double, 8>& a, const vector<double, 8>& b) {
  return __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13) +
         __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
}

CHORD_INLINE vector<float, 8> folded(const vector<float, 16>& x) {
  return __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
         __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
}
CHORD_INLINE vector<double, 4> folded(const vector<double, 8>& x) {
  return __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
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

// Of half as many vectors, as half a vector.
template <class T>
CHORD_INLINE void sums_of(const vector<double, 4> (&each)[2], vector<double, 2>& sums) {
  const vector<double, 4> both = sum_pairs(each[0], each[1]);
  sums = __builtin_shufflevector(both, both, 0, 1) + __builtin_shufflevector(both, both, 2, 3);
}
template <class T>
CHORD_INLINE void sums_of(const vector<float, 8> (&each)[4], vector<float, 4>& sums) {
  const vector<float, 8> both = sum_pairs(sum_pairs(each[0], each[1]), sum_pairs(each[2], each[3]));
  sums = __builtin_shufflevector(both, both, 0, 1, 2, 3) + __builtin_shufflevector(both, both, 4, 5, 6, 7);
}

// Of vectors that are twice as wide.
template <class T>
CHORD_INLINE void sums_of(const vector<double, 8> (&each)[2], vector<double, 2>& sums) {
  const vector<double, 4> some[] = {folded(each[0]), folded(each[1])};
  sums_of<T>(some, sums);
}
template <class T>
CHORD_INLINE void sums_of(const vector<float, 16> (&each)[4], vector<float, 4>& sums) {
  const vector<float, 8> both = folded(sum_pairs(sum_pairs(each[0], each[1]), sum_pairs(each[2], each[3])));
  sums = __builtin_shufflevector(both, both, 0, 1, 2, 3) + __builtin_shufflevector(both, both, 4, 5, 6, 7);
}
template <class T>
CHORD_INLINE void sums_of(const vector<double, 8> (&each)[4], vector<double, 4>& sums) {
  sums = sum_halves(sum_pairs(folded(each[0]), folded(each[1])), sum_pairs(folded(each[2]), folded(each[3])));
}
template <class T>
CHORD_INLINE void sums_of(const vector<double, 8> (&each)[8], vector<double, 8>& sums) {
  sums = sum_parts(sum_parts(sum_pairs(each[0], each[1]), sum_pairs(each[2], each[3])),
                   sum_parts(sum_pairs(each[4], each[5]), sum_pairs(each[6], each[7])));
}
template <class T>
CHORD_INLINE void sums_of(const vector<float, 16> (&each)[8], vector<float, 8>& sums) {
  sums = sum_halves(folded(sum_pairs(sum_pairs(each[0], each[1]), sum_pairs(each[2], each[3]))),
                    folded(sum_pairs(sum_pairs(each[4], each[5]), sum_pairs(each[6], each[7]))));
}

/// The sums of four times 64 bytes of numbers, as one vector or two: the order of the additions is the same for both.
template <class T>
CHORD_INLINE vector<float, 4> sums_of_four(const vector<float, 8> (&a)[2], const vector<float, 8> (&b)[2],
                                           const vector<float, 8> (&c)[2], const vector<float, 8> (&d)[2]) {
  const vector<float, 8> sums =
      sum_pairs(sum_pairs(a[0], b[0]), sum_pairs(c[0], d[0])) + sum_pairs(sum_pairs(a[1], b[1]), sum_pairs(c[1], d[1]));
  return __builtin_shufflevector(sums, sums, 0, 1, 2, 3) + __builtin_shufflevector(sums, sums, 4, 5, 6, 7);
}
template <class T>
CHORD_INLINE vector<float, 4> sums_of_four(const vector<float, 16> (&a)[1], const vector<float, 16> (&b)[1],
                                           const vector<float, 16> (&c)[1], const vector<float, 16> (&d)[1]) {
  const vector<float, 16> all = sum_pairs(sum_pairs(a[0], b[0]), sum_pairs(c[0], d[0]));
  const vector<float, 8> sums = __builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7) +
                                __builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15);
  return __builtin_shufflevector(sums, sums, 0, 1, 2, 3) + __builtin_shufflevector(sums, sums, 4, 5, 6, 7);
}
template <class T>
CHORD_INLINE vector<double, 4> sums_of_four(const vector<double, 4> (&a)[2], const vector<double, 4> (&b)[2],
                                            const vector<double, 4> (&c)[2], const vector<double, 4> (&d)[2]) {
  return sum_halves(sum_pairs(a[0] + a[1], b[0] + b[1]), sum_pairs(c[0] + c[1], d[0] + d[1]));
}
template <class T>
CHORD_INLINE vector<double, 4> sums_of_four(const vector<double, 8> (&a)[1], const vector<double, 8> (&b)[1],
                                            const vector<double, 8> (&c)[1], const vector<double, 8> (&d)[1]) {
  const auto half = [](const vector<double, 8>& x) {
    return __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  };
  return sum_halves(sum_pairs(half(a[0]), half(b[0])), sum_pairs(half(c[0]), half(d[0])));
}
template <class T>
CHORD_INLINE vector<T, 4> sums_of_four(const vector<T, 1> (&a)[1], const vector<T, 1> (&b)[1],
                                       const vector<T, 1> (&c)[1], const vector<T, 1> (&d)[1]) {
  vector<T, 4> sums = {};
  sums[0] = a[0][0], sums[1] = b[0][0], sums[2] = c[0][0], sums[3] = d[0][0];
  return sums;
}

}  // namespace chord::CHORD_KERNELS
