// Numbers as binary files store them, and what they are as float64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace chord {

enum class NumberType {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64
};
enum class ByteOrder { little, big };

std::size_t size_of(NumberType type);

/// Reads `Unsigned` from bytes that need not be aligned.
template <class Unsigned>
Unsigned load(const char* bytes, ByteOrder order) {
  Unsigned value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    const std::size_t place = order == ByteOrder::little ? i : sizeof value - 1 - i;
    value |= static_cast<Unsigned>(static_cast<Unsigned>(static_cast<unsigned char>(bytes[i])) << (8 * place));
  }
  return value;
}

/// Integers beyond 2^53 are rounded; a boolean is true unless 0.
void to_float64(NumberType type, ByteOrder order, const char* from, std::int64_t count, double* to);

}  // namespace chord
