#include "data/joined.hpp"

#include <utility>

#include "common/size.hpp"

namespace chord {
namespace {

DatasetInfo joined_info(DatasetInfo first, const DatasetInfo& second) {
  first.count = checked_int32(first.count + second.count, "the count of both sets");
  return first;
}

class Joined : public Dataset {
 public:
  Joined(std::shared_ptr<const Dataset> first, std::shared_ptr<const Dataset> second)
      : Dataset(joined_info(first->info(), second->info()), first->encoding()),
        first_(std::move(first)),
        second_(std::move(second)) {}

  void read(std::int64_t index, void* input, void* label) const override {
    const std::int64_t boundary = first_->info().count;
    if (index < boundary)
      first_->read(index, input, label);
    else
      second_->read(index - boundary, input, label);
  }

 private:
  std::shared_ptr<const Dataset> first_, second_;
};

}  // namespace

std::shared_ptr<const Dataset> joined(std::shared_ptr<const Dataset> first, std::shared_ptr<const Dataset> second) {
  return std::make_shared<const Joined>(std::move(first), std::move(second));
}

}  // namespace chord
