// Orders at random.
#pragma once

#include <vector>

#include "common/random.hpp"

namespace chord {

/// The numbers 0 … count − 1, every order being as likely.
std::vector<std::int32_t> shuffled(std::int64_t count, const Random& random);

}  // namespace chord
