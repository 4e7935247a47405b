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
  const bool too_few = options.drop_last && options.batch > total;
  batch_ = std::min(options.batch, total);
  count_ = too_few ? 0 : options.drop_last ? total / batch_ : (total + batch_ - 1) / batch_;
  if (options.shuffle) order_ = shuffled(total, random_of(Stream::shuffle, options.seed, std::uint32_t(options.epoch)));
}

std::int64_t BatchPlan::size(std::int64_t number) const {
  return std::min(batch_, dataset_->info().count - number * batch_);
}

}  // namespace chord
