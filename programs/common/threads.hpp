// How many threads the host device uses: the library reads it from the environment when it is first used.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace program {

constexpr int most_threads = 4096;

/// Has an effect only before the library is first used. 0: as the environment has it.
inline void use_threads(int64_t count) {
  if (count > 0) setenv("OMP_NUM_THREADS", std::to_string(count).c_str(), 1);
}

}  // namespace program
