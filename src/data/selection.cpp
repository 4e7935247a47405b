#include "data/selection.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "common/streams.hpp"
#include "data/shuffled.hpp"

namespace chord {
namespace {

std::vector<std::int32_t> sample(std::int64_t total, std::int64_t count, std::uint64_t seed) {
  std::vector<std::int32_t> indices = shuffled(total, random_of(Stream::sample, seed));
  indices.resize(std::size_t(count));
  std::sort(indices.begin(), indices.end());
  return indices;
}

DatasetInfo with_count(DatasetInfo info, std::int64_t count) {
  info.count = count;
  return info;
}

class Selection : public Dataset {
 public:
  /// Without indices, the first ones.
  Selection(std::shared_ptr<const Dataset> whole, std::int64_t count, std::vector<std::int32_t> indices)
      : Dataset(with_count(whole->info(), count), whole->encoding()),
        whole_(std::move(whole)),
        indices_(std::move(indices)) {}

  void read(std::int64_t index, void* input, void* label) const override {
    whole_->read(indices_.empty() ? index : indices_[std::size_t(index)], input, label);
  }

 private:
  std::shared_ptr<const Dataset> whole_;
  std::vector<std::int32_t> indices_;
};

}  // namespace

std::shared_ptr<const Dataset> selected(std::shared_ptr<const Dataset> dataset, std::int64_t count,
                                        std::uint64_t seed) {
  const std::int64_t total = dataset->info().count;
  if (count < 0 || count > total)
    fail(Status::invalid_argument, "count is ", count, "; the files have ", total, " sequences, so expected 1 to ",
         total, ", or 0 for all");
  if (count == 0 || count == total) return dataset;
  return std::make_shared<const Selection>(std::move(dataset), count,
                                           seed == 0 ? std::vector<std::int32_t>() : sample(total, count, seed));
}

}  // namespace chord
