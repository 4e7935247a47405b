// Random noise on parameters.
#pragma once

#include <cstdint>

#include "common/random.hpp"
#include "device/context.hpp"

namespace chord {

/// to[i] = from[i] + noise, both in device memory: noise[i] is normal number i of `random`, times `strength`, times the
/// root mean square of `from`.
template <class T>
void add_noise(Context& context, const T* from, T* to, std::int64_t count, double strength, const Random& random);

}  // namespace chord
