#include "data/files/packed_dataset.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace chord {
namespace {

class PackedDataset : public Dataset {
 public:
  PackedDataset(const DatasetInfo& info, const std::string& encoding, std::shared_ptr<const Pack> pack,
                std::int64_t first, const TokenTable& table)
      : Dataset(info, encoding), pack_(std::move(pack)), first_(first), table_(table) {}

  void read(std::int64_t index, void* input, void* label) const override {
    const std::uint8_t* const record = pack_->record(first_ + index);
    *static_cast<std::int32_t*>(label) = record[0];
    std::transform(record + 1, record + 1 + info().length, static_cast<std::int32_t*>(input),
                   [this](std::uint8_t byte) { return table_[byte]; });
  }

 private:
  std::shared_ptr<const Pack> pack_;
  std::int64_t first_;
  TokenTable table_;
};

}  // namespace

TokenTable same_tokens() {
  TokenTable table;
  std::iota(table.begin(), table.end(), 0);
  return table;
}

std::shared_ptr<const Dataset> packed_dataset(std::shared_ptr<const Pack> pack, Split split, std::int64_t vocabulary,
                                              std::int64_t classes, const TokenTable& table,
                                              const std::string& encoding) {
  const RecordCounts& counts = pack->head().counts;
  const auto place = counts.begin() + std::ptrdiff_t(split);
  const std::int64_t first = std::accumulate(counts.begin(), place, std::int64_t(0));
  const DatasetInfo info{*place, pack->head().length, 0, vocabulary, classes};
  return std::make_shared<const PackedDataset>(info, encoding, std::move(pack), first, table);
}

}  // namespace chord
