#include "data/shuffled.hpp"

#include <numeric>
#include <utility>

#include "common/memory.hpp"
#include "common/size.hpp"

namespace chord {

// Fisher and Yates.
std::vector<std::int32_t> shuffled(std::int64_t count, const Random& random) {
  expect_memory(std::size_t(checked_int32(count, "the number of sequences to shuffle")) * sizeof(std::int32_t));
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t left = order.size(); left > 1; --left)
    std::swap(order[left - 1], order[Random::integer_of(random.block(left), 0, std::uint32_t(left))]);
  return order;
}

}  // namespace chord
