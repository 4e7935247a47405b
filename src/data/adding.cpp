#include "data/adding.hpp"

#include <algorithm>

#include "data/generated.hpp"

namespace chord {
namespace {

/// A number in (−1, 1), symmetric about 0: odd multiples of 2^−24, which float32 holds exactly, and their sums, too.
float symmetric_uniform(std::uint32_t bits) { return float(std::int32_t(bits >> 8 << 1 | 1) - (1 << 24)) * 0x1p-24f; }

class Adding : public GeneratedDataset {
 public:
  explicit Adding(const DatasetRequest& request) : GeneratedDataset(request, {Stream::adding, 2, 0, 1}) {}

  void read(std::int64_t index, void* input, void* label) const override {
    constexpr std::int64_t per_block = 4;
    const Random random = random_of(index);
    auto* const pairs = static_cast<float(*)[2]>(input);
    for (std::int64_t start = 0; start < info().length; start += per_block) {
      const Random::Block bits = random.block(std::uint64_t(first_block + start / per_block));
      const std::int64_t end = std::min(start + per_block, info().length);
      for (std::int64_t i = start; i < end; ++i) {
        pairs[i][0] = symmetric_uniform(bits[std::size_t(i - start)]);
        pairs[i][1] = 0;
      }
    }
    const Marks marks = marks_of(random);
    pairs[marks.first][1] = pairs[marks.second][1] = 1;
    *static_cast<float*>(label) = 0.5f + (pairs[marks.first][0] + pairs[marks.second][0]) / 4;
  }
};

}  // namespace

std::shared_ptr<const Dataset> open_adding(const DatasetRequest& request) {
  return std::make_shared<const Adding>(request);
}

}  // namespace chord
