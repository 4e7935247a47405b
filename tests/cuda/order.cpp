#include "order.hpp"

#include <algorithm>
#include <numeric>

#include "options.hpp"

namespace chord::standin {

void arrange(std::vector<std::uint32_t>& numbers, std::uint32_t count, std::mt19937_64& random) {
  numbers.resize(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  if (options().order == Order::reverse) std::reverse(numbers.begin(), numbers.end());
  if (options().order == Order::random) std::shuffle(numbers.begin(), numbers.end(), random);
}

}  // namespace chord::standin
