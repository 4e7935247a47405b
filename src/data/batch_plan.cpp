#include "data/batch_plan.hpp"

#include <algorithm>

#include "common/size.hpp"
#include "common/streams.hpp"
#include "data/shuffled.hpp"

namespace chord {

BatchPlan::BatchPlan(std::shared_ptr<const Dataset> dataset, const BatchOptions& options)
    : dataset_(std::move(dataset)) {
  const std::int64_t total = dataset_->info().count;
  if (options.batch < 1) fail(Status::invalid_argument, "batch is ", options.batch, "; expected 1 or more");
  if (options.epoch < 0) fail(Status::invalid_argument, "epoch is ", options.epoch, "; expected 0 or more");
  checked_int32(options.epoch, "epoch");
  if (options.part_first < 0)
    fail(Status::invalid_argument, "part_first is ", options.part_first, "; expected 0 or more");
  if (options.part_count < 0)
    fail(Status::invalid_argument, "part_count is ", options.part_count, "; expected 0 or more");
  const bool too_few = options.drop_last && options.batch > total;
  batch_ = std::min(options.batch, total);
  count_ = too_few ? 0 : options.drop_last ? total / batch_ : (total + batch_ - 1) / batch_;
  part_first_ = std::min(options.part_first, batch_);
  part_count_ = batch_ - part_first_;
  if (options.part_count > 0) part_count_ = std::min(options.part_count, part_count_);
  if (options.shuffle) order_ = shuffled(total, random_of(Stream::shuffle, options.seed, std::uint32_t(options.epoch)));
}

std::int64_t BatchPlan::size(std::int64_t number) const {
  const std::int64_t whole = std::min(batch_, dataset_->info().count - number * batch_);
  return std::clamp<std::int64_t>(whole - part_first_, 0, part_count_);
}

}  // namespace chord
