#include "data/order.hpp"

#include <algorithm>

#include "data/generated.hpp"

namespace chord {
namespace {

constexpr std::int32_t x = 4;  // and y is the next

class Order : public GeneratedDataset {
 public:
  explicit Order(const DatasetRequest& request) : GeneratedDataset(request, {Stream::order, 0, 6, 4}) {}

  void read(std::int64_t index, void* input, void* label) const override {
    constexpr std::int64_t per_word = 16, per_block = 4 * per_word;  // two bits each
    const Random random = random_of(index);
    auto* const tokens = static_cast<std::int32_t*>(input);
    for (std::int64_t start = 0; start < info().length; start += per_block) {
      const Random::Block bits = random.block(std::uint64_t(first_block + start / per_block));
      const std::int64_t count = std::min(per_block, info().length - start);
      for (std::int64_t i = 0; i < count; ++i)
        tokens[start + i] = std::int32_t(bits[std::size_t(i / per_word)] >> (2 * (i % per_word)) & 3);
    }
    const Marks marks = marks_of(random);
    *static_cast<std::int32_t*>(label) = 2 * mark(tokens[marks.first]) + mark(tokens[marks.second]);
  }

 private:
  /// Puts X or Y in a token's place, as one of the token's bits says; 0 for X, 1 for Y.
  static std::int32_t mark(std::int32_t& token) {
    const std::int32_t which = token & 1;
    token = x + which;
    return which;
  }
};

}  // namespace

std::shared_ptr<const Dataset> open_order(const DatasetRequest& request) {
  return std::make_shared<const Order>(request);
}

}  // namespace chord
