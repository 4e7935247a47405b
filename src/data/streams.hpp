// Streams of random numbers by what they are for, so that no two uses share any, though the seed be the same.
#pragma once

#include "common/random.hpp"

namespace chord {

enum class Stream : std::uint64_t { adding = 0xda01, order = 0xda02, shuffle = 0xda03 };

inline Random random_of(Stream stream, std::uint64_t seed, std::uint16_t part, std::uint32_t index) {
  return Random(seed, std::uint64_t(stream) << 48 | std::uint64_t(part) << 32 | index);
}

}  // namespace chord
