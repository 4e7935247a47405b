// In which order blocks run, and the threads of a block between two barriers.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace chord::standin {

/// The numbers below `count`, as CHORD_STANDIN_ORDER says.
void arrange(std::vector<std::uint32_t>& numbers, std::uint32_t count, std::mt19937_64& random);

}  // namespace chord::standin
