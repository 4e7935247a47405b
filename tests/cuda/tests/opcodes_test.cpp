// Instructions one by one, against the same in C++; and those that are not translated are named.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "harness.hpp"

namespace chord::standin_tests {
namespace {

using std::int32_t;
using std::int64_t;
using std::uint32_t;
using std::uint64_t;
constexpr std::size_t words = 32;  ///< that a thread of the kernel stores

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }

/// Bits [at, at + n) of a number of `width` bits, its sign beyond them.
template <class Signed>
Signed field(Signed value, uint32_t at, uint32_t n) {
  constexpr uint32_t width = 8 * sizeof(Signed);
  if (n == 0) return 0;
  const Signed moved = value >> std::min(at, width - 1);
  if (at + n >= width) return moved;
  return Signed(std::make_unsigned_t<Signed>(moved) << (width - n)) >> (width - n);
}

uint32_t permuted(uint32_t a, uint32_t b, uint32_t choices) {
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t choice = choices >> 4 * i & 15;
    const uint32_t byte = (choice & 4 ? b : a) >> 8 * (choice & 3) & 255;
    result |= (choice & 8 ? (byte >> 7) * 255 : byte) << 8 * i;
  }
  return result;
}

uint32_t reversed(uint32_t a) {
  uint32_t result = 0;
  for (int i = 0; i < 32; ++i) result |= (a >> i & 1) << (31 - i);
  return result;
}

std::array<uint32_t, words> integers(uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t b63 = b & 63, c63 = c & 63, c31 = c & 31, n = c >> 8 & 31;
  const uint64_t pair = uint64_t(b) << 32 | a, whole = uint64_t(a) << 32 | b;
  const auto mask = uint32_t(((uint64_t(1) << n) - 1) << c31);
  const auto low = c63 >= 32 ? ~0u : (1u << c63) - 1;
  std::array<uint32_t, words> r{};
  r[0] = b63 >= 32 ? 0 : a >> b63 & low;
  r[1] = uint32_t(field(int32_t(a), b63, c63));
  r[2] = (b & ~mask) | (a << c31 & mask);
  r[3] = reversed(a);
  r[4] = permuted(a, b, c);
  r[5] = uint32_t(pair << c31 >> 32);
  r[6] = uint32_t(pair >> std::min(32u, c63));
  r[7] = uint32_t((uint64_t(a) * b >> 32) + c);
  r[8] = uint32_t(int64_t(int32_t(a)) * int32_t(b) >> 32);
  r[9] = uint32_t(std::countl_zero(a)) | uint32_t(std::popcount(b)) << 8;
  r[10] = a < b ? 3 : 15;
  r[11] = uint32_t(field(int64_t(whole), b63, c63) >> 7);
  r[12] = (c63 < 32 ? a << c63 : 0) ^ uint32_t(int32_t(a) >> std::min(31u, c63));
  r[13] = (c31 ? uint32_t(int32_t(a) / int32_t(c31)) : ~0u) + (c31 ? b % c31 : b);
  r[14] = uint32_t(int32_t(static_cast<signed char>(a)) - int32_t(static_cast<short>(b)));
  r[15] = uint32_t(static_cast<unsigned __int128>(whole) * whole >> 64);
  return r;
}

std::array<uint32_t, words> expected(uint32_t a, uint32_t b, uint32_t c) {
  std::array<uint32_t, words> r = integers(a, b, c);
  const float x = float(int32_t(a)) * 1e-6f;
  r[16] = uint32_t(int32_t(std::rint(x)));
  r[17] = x > 0 ? uint32_t(x) : 0;
  r[18] = bits(std::floor(x));
  r[19] = bits(std::copysign(float(b), x));
  r[20] = bits(x);
  const double root = std::sqrt(std::fma(double(x), double(x), double(uint64_t(a) << 32 | b)));
  r[22] = uint32_t(std::bit_cast<uint64_t>(root));
  r[23] = uint32_t(std::bit_cast<uint64_t>(root) >> 32);
  r[24] = 1;  // unordered, so the first comparison holds and the second does not
  r[25] = bits(std::min(std::max(x, 0.0f), 1.0f));
  r[26] = 17 + (c & 3);
  return r;
}

/// A reciprocal that is right to a unit in the last place; returns on which side it lies.
int side_of_reciprocal(float x, float found) {
  if (x == 0) {
    expect(std::isinf(found), "the reciprocal of zero to be infinite");
    return 0;
  }
  const double exact = 1 / double(x), error = (double(found) - exact) / exact;
  const double unit = std::abs(double(std::nextafter(found, INFINITY)) - double(found)) / std::abs(exact);
  expect(std::abs(error) <= unit, "1 / " + std::to_string(x) + ", not " + std::to_string(found));
  return error > 0 ? 1 : -1;
}

void check_all(Gpu& gpu) {
  const unsigned n = 2000;
  std::mt19937 random(1);
  std::vector<uint32_t> in(3 * n);
  for (uint32_t& value : in) value = uint32_t(random()) >> random() % 24;
  const Address din = gpu.upload(in), out = gpu.allocate(n * words * 4);
  gpu.launch("opcodes", {(n + 127) / 128, 128}, din, out, n);
  const auto got = gpu.download<uint32_t>(out, n * words);
  unsigned above = 0, inexact = 0;
  for (unsigned i = 0; i < n; ++i) {
    const auto wanted = expected(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
    for (std::size_t k = 0; k < 27; ++k)
      if (k != 21)  // padding
        expect(got[i * words + k] == wanted[k], "word " + std::to_string(k) + " of thread " + std::to_string(i) +
                                                    " to be " + std::to_string(wanted[k]) + ", not " +
                                                    std::to_string(got[i * words + k]));
    const float x = float(int32_t(in[3 * i])) * 1e-6f, found = std::bit_cast<float>(got[i * words + 27]);
    above += side_of_reciprocal(x, found) > 0;
    inexact += found != 1 / x;
  }
  // The approximate reciprocal is wrong as often as a GPU's may be, on both sides.
  expect(above > n / 4 && above < 3 * n / 4 && inexact > n / 4, "reciprocals that are wrong on both sides");
}

std::string with_body(const std::string& body) {
  return "\n.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry f()\n{\n" + body + "\nret;\n}\n";
}

}  // namespace

TEST_CASE("instructions compute what they should") {
  const Outcome outcome = with_gpu({}, check_all);
  CAPTURE(outcome.messages);
  CHECK(outcome.passed);
}

TEST_CASE("an unknown instruction is an error that names it") {
  const Outcome outcome = with_gpu({}, [](Gpu& gpu) {
    gpu.load(with_body(".reg .b32 %r<3>;\nfrobnicate.b32 %r1, %r2;"), cuda::invalid_ptx);
    gpu.load(with_body(".reg .b32 %r<3>;\nadd.cc.u32 %r1, %r2, %r2;"), cuda::invalid_ptx);
    gpu.load(with_body(".reg .b32 %r<3>;\nadd.u32 %r1, %r2, %clock;"), cuda::invalid_ptx);
    gpu.load("no PTX at all", cuda::invalid_image);
  });
  CAPTURE(outcome.messages);
  CHECK(outcome.passed);
  CHECK(outcome.says("opcode 'frobnicate' is not known, in 'frobnicate.b32 %r1, %r2' of f"));
  CHECK(outcome.says("carry, in 'add.cc.u32"));
  CHECK(outcome.says("register %clock, in 'add.u32"));
}

}  // namespace chord::standin_tests
