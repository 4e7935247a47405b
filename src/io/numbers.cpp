#include "io/numbers.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "common/error.hpp"

namespace chord {
namespace {

template <class To, class From>
To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

double from_float16(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double magnitude;
  if (exponent == 31)
    magnitude = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(mantissa, -24);
  else
    magnitude = std::ldexp(mantissa + 1024, exponent - 25);
  return bits >> 15 ? -magnitude : magnitude;
}

double from_bfloat16(std::uint16_t bits) { return same_bits<float>(std::uint32_t(bits) << 16); }

template <class Unsigned, class Decode>
void convert(ByteOrder order, const char* from, std::int64_t count, double* to, Decode decode) {
  for (std::int64_t i = 0; i < count; ++i)
    to[i] = static_cast<double>(decode(load<Unsigned>(from + i * std::int64_t(sizeof(Unsigned)), order)));
}

}  // namespace

std::size_t size_of(NumberType type) {
  switch (type) {
    case NumberType::boolean:
    case NumberType::int8:
    case NumberType::uint8: return 1;
    case NumberType::int16:
    case NumberType::uint16:
    case NumberType::float16:
    case NumberType::bfloat16: return 2;
    case NumberType::int32:
    case NumberType::uint32:
    case NumberType::float32: return 4;
    case NumberType::int64:
    case NumberType::uint64:
    case NumberType::float64: return 8;
  }
  fail(Status::internal, "no such number type");
}

void to_float64(NumberType type, ByteOrder order, const char* from, std::int64_t count, double* to) {
  const auto as_it_is = [](auto bits) { return bits; };
  switch (type) {
    case NumberType::boolean: return convert<std::uint8_t>(order, from, count, to, [](auto bits) { return bits != 0; });
    case NumberType::int8: return convert<std::uint8_t>(order, from, count, to, same_bits<std::int8_t, std::uint8_t>);
    case NumberType::int16:
      return convert<std::uint16_t>(order, from, count, to, same_bits<std::int16_t, std::uint16_t>);
    case NumberType::int32:
      return convert<std::uint32_t>(order, from, count, to, same_bits<std::int32_t, std::uint32_t>);
    case NumberType::int64:
      return convert<std::uint64_t>(order, from, count, to, same_bits<std::int64_t, std::uint64_t>);
    case NumberType::uint8: return convert<std::uint8_t>(order, from, count, to, as_it_is);
    case NumberType::uint16: return convert<std::uint16_t>(order, from, count, to, as_it_is);
    case NumberType::uint32: return convert<std::uint32_t>(order, from, count, to, as_it_is);
    case NumberType::uint64: return convert<std::uint64_t>(order, from, count, to, as_it_is);
    case NumberType::float16: return convert<std::uint16_t>(order, from, count, to, from_float16);
    case NumberType::bfloat16: return convert<std::uint16_t>(order, from, count, to, from_bfloat16);
    case NumberType::float32: return convert<std::uint32_t>(order, from, count, to, same_bits<float, std::uint32_t>);
    case NumberType::float64: return convert<std::uint64_t>(order, from, count, to, same_bits<double, std::uint64_t>);
  }
}

}  // namespace chord
