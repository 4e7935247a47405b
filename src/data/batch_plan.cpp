#include "data/batch_plan.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/memory.hpp"
#include "common/size.hpp"
#include "common/streams.hpp"

namespace chord {
namespace {

/// Every order is as likely (Fisher and Yates).
std::vector<std::int32_t> shuffled(std::int64_t count, std::uint64_t seed, std::int64_t epoch) {
  expect_memory(std::size_t(checked_int32(count, "the number of sequences to shuffle")) * sizeof(std::int32_t));
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  const Random random = random_of(Stream::shuffle, seed, std::uint32_t(epoch));
  for (std::size_t left = order.size(); left > 1; --left)
    std::swap(order[left - 1], order[Random::integer_of(random.block(left), 0, std::uint32_t(left))]);
  return order;
}

}  // namespace

BatchPlan::BatchPlan(std::shared_ptr<const Dataset> dataset, const BatchOptions& options)
    : dataset_(std::move(dataset)) {
  const std::int64_t total = dataset_->info().count;
  if (options.batch < 1) fail(Status::invalid_argument, "batch is ", options.batch, "; expected 1 or more");
  if (options.epoch < 0) fail(Status::invalid_argument, "epoch is ", options.epoch, "; expected 0 or more");
  checked_int32(options.epoch, "epoch");
  const bool too_few = options.drop_last && options.batch > total;
  batch_ = std::min(options.batch, total);
  count_ = too_few ? 0 : options.drop_last ? total / batch_ : (total + batch_ - 1) / batch_;
  if (options.shuffle) order_ = shuffled(total, options.seed, options.epoch);
}

std::int64_t BatchPlan::size(std::int64_t number) const {
  return std::min(batch_, dataset_->info().count - number * batch_);
}

}  // namespace chord
