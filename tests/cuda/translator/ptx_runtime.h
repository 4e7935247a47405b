// What the C of translated PTX is written in: memory accesses with their checks, and PTX's arithmetic where C's
// differs.
//   -DPTX_COUNTS  count basic blocks and record addresses
//   -DPTX_WATCH   tell the driver of every access
#pragma once

#include <math.h>
#include <string.h>

#include "ptx_module.h"

// ---- memory: the bytes of an address. What is aligned and inside an allocation passes here, the driver sees the rest.

static inline unsigned char* global_bytes(struct PtxThread* T, uint64_t a, int bytes, int kind, int site) {
  const uint64_t d = a - T->base;
  const int last = bytes > 8 ? bytes / 8 - 1 : 0;
  if (__builtin_expect(d < T->size && !(a & (uint64_t)(bytes - 1)) && T->shadow[d >> 3] == 8, 1) &&
      (last == 0 || T->shadow[(d >> 3) + last] == 8))
    return (unsigned char*)(uintptr_t)(a + T->delta);
  return T->host->slow(T, a, bytes, kind, site);
}

static inline unsigned char* shared_bytes(struct PtxThread* T, uint64_t a, int bytes, int kind, int site) {
  const uint32_t offset = (uint32_t)a - SHARED_FIRST;
  if (__builtin_expect((uint64_t)offset + bytes <= T->shared_size && !(a & (uint64_t)(bytes - 1)), 1))
    return T->shared + offset;
  return T->host->slow(T, SHARED_WINDOW + (uint32_t)a, bytes, kind, site);
}

static inline unsigned char* local_bytes(struct PtxThread* T, uint64_t a, int bytes, int kind, int site) {
  if (__builtin_expect(a - T->stack_low < T->stack_high - T->stack_low && !(a & (uint64_t)(bytes - 1)), 1))
    return (unsigned char*)(uintptr_t)a;
  return T->host->slow(T, a, bytes, kind, site);
}

static inline unsigned char* generic_bytes(struct PtxThread* T, uint64_t a, int bytes, int kind, int site) {
  if (a - T->base < T->size) return global_bytes(T, a, bytes, kind, site);
  if (ptx_is_shared(a)) return shared_bytes(T, a, bytes, kind, site);
  return local_bytes(T, a, bytes, kind, site);
}

static inline void count_access(struct PtxCounts* counts, int lane, int site, uint64_t a) {
  const uint32_t visit = counts->visits[site * 32 + lane]++;
  if (visit >= counts->capacity[site]) counts->grow(counts, site);
  counts->addresses[site][(uint64_t)visit * 32 + lane] = a;
}

#ifdef PTX_COUNTS
#define BLOCK(n) (T->counts->blocks[(n) * 32 + T->lane]++)
#define COUNT_ACCESS(a, site) count_access(T->counts, T->lane, site, a)
#else
#define BLOCK(n) ((void)0)
#define COUNT_ACCESS(a, site) ((void)0)
#endif
#ifdef PTX_WATCH
#define WATCH(a, bytes, kind, site) T->host->watch(T, a, bytes, kind, site)
#else
#define WATCH(a, bytes, kind, site) ((void)0)
#endif
#define ACCESS(a, bytes, kind, site) (COUNT_ACCESS(a, site), WATCH(a, bytes, kind, site))

// ---- floats

static inline float as_f32(uint32_t bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}
static inline double as_f64(uint64_t bits) {
  double x;
  memcpy(&x, &bits, 8);
  return x;
}
static inline uint32_t of_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}
static inline uint64_t of_f64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  return bits;
}
static inline float ftz(float x) { return fabsf(x) < 1.17549435e-38f ? copysignf(0, x) : x; }
// 1 / x as rcp.approx may have it, a unit in the last place away at most: the seed says on which side.
static inline float approximate_reciprocal(float x, uint32_t seed) {
  const float nearest = 1 / x;
  const double exact = 1 / (double)x;
  if (nearest == 0 || isnan(nearest) || isinf(nearest)) return nearest;
  const int up = (int)((of_f32(x) ^ seed * 0x9e3779b9u) * 0x85ebca6bu >> 31);
  if (up ? nearest > exact : nearest < exact) return nearest;
  return nextafterf(nearest, up ? INFINITY : -INFINITY);
}
static inline float sat(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

// To integers: what does not fit becomes the nearest that does, NaN zero.
#define CONVERT(name, type, low, high)                                           \
  static inline type to_##name(double x) {                                       \
    return x != x ? 0 : x <= low ? (type)low : x >= high ? (type)high : (type)x; \
  }
CONVERT(s8, int8_t, -128.0, 127.0)
CONVERT(u8, uint8_t, 0.0, 255.0)
CONVERT(s16, int16_t, -32768.0, 32767.0)
CONVERT(u16, uint16_t, 0.0, 65535.0)
CONVERT(s32, int32_t, -2147483648.0, 2147483647.0)
CONVERT(u32, uint32_t, 0.0, 4294967295.0)
#undef CONVERT
// The largest integers of 64 bits are no doubles, and NaN is not zero there.
static inline int64_t to_s64(double x) {
  if (x >= 9223372036854775808.0) return INT64_MAX;
  return x > -9223372036854775808.0 ? (int64_t)x : INT64_MIN;
}
static inline uint64_t to_u64(double x) {
  if (x != x) return 1ull << 63;
  return x >= 18446744073709551616.0 ? UINT64_MAX : x > 0 ? (uint64_t)x : 0;
}

// ---- integers

// Division by zero gives all ones.
#define DIVISION(name, type)                                                       \
  static inline type div_##name(type a, type b) { return b ? a / b : (type) - 1; } \
  static inline type rem_##name(type a, type b) { return b ? a % b : a; }
DIVISION(u16, uint16_t)
DIVISION(s16, int16_t)
DIVISION(u32, uint32_t)
DIVISION(s32, int32_t)
DIVISION(u64, uint64_t)
DIVISION(s64, int64_t)
#undef DIVISION

static inline uint64_t low_bits(uint32_t n) { return n >= 64 ? ~0ull : (1ull << n) - 1; }

static inline uint64_t unsigned_field(uint64_t a, uint32_t at, uint32_t n, int width) {
  at &= 255;
  n &= 255;
  return at >= (uint32_t)width ? 0 : (a >> at) & low_bits(n);
}

// a: sign-extended to 64 bits.
static inline int64_t signed_field(int64_t a, uint32_t at, uint32_t n, int width) {
  at &= 255;
  n &= 255;
  if (n == 0) return 0;
  const int64_t x = at >= 64 ? (a < 0 ? -1 : 0) : a >> at;
  return at + n >= (uint32_t)width ? x : (int64_t)((uint64_t)x << (64 - n)) >> (64 - n);
}

static inline uint64_t insert_field(uint64_t a, uint64_t b, uint32_t at, uint32_t n, int width) {
  at &= 255;
  n &= 255;
  if (at >= (uint32_t)width) return b;
  const uint64_t mask = low_bits(n) << at;
  return (b & ~mask) | ((a << at) & mask);
}

static inline uint64_t reversed_bits(uint64_t a, int width) {
  uint64_t r = 0;
  for (int i = 0; i < width; i++) r = r << 1 | (a >> i & 1);
  return r;
}

// Four of the eight bytes of two registers; bit 3 of a choice asks for the byte's sign instead.
static inline uint32_t permuted_bytes(uint32_t a, uint32_t b, uint32_t choices) {
  const uint64_t bytes = (uint64_t)b << 32 | a;
  uint32_t r = 0;
  for (int i = 0; i < 4; i++) {
    const uint32_t choice = choices >> 4 * i;
    const uint32_t byte = (uint32_t)(bytes >> 8 * (choice & 7)) & 255;
    r |= (choice & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
  }
  return r;
}

// ---- warps

enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };

// The lane to read from, or -1 if it is out of the segment. bounds: the clamp, and the segments' mask from bit 8 on.
static inline int shuffle_source(int mode, uint32_t lane, uint32_t distance, uint32_t bounds) {
  const uint32_t clamp = bounds & 31, segment = bounds >> 8 & 31, b = distance & 31;
  const int limit = (int)((lane & segment) | (clamp & ~segment));
  if (mode == SHUFFLE_UP) return (int)(lane - b) >= limit ? (int)(lane - b) : -1;
  const uint32_t from = mode == SHUFFLE_DOWN   ? lane + b
                        : mode == SHUFFLE_BFLY ? lane ^ b
                                               : (lane & segment) | (b & ~segment);
  return (int)from <= limit ? (int)from : -1;
}
