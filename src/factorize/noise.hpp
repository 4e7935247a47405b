// Random noise on parameters.
#pragma once

#include <cstdint>

#include "common/random.hpp"
#include "device/context.hpp"

namespace chord {

struct Noise {
  double strength;
  bool own;  ///< relative to each value itself, else to the root mean square of all
};

/// to[i] = from[i] + noise, both in device memory: noise[i] is normal number i of `random`, times the strength, times
/// what it is relative to.
template <class T>
void add_noise(Context& context, const T* from, T* to, std::int64_t count, Noise noise, const Random& random);

}  // namespace chord
