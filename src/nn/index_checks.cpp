#include "nn/index_checks.hpp"

#include "common/error.hpp"
#include "device/launch.hpp"

namespace chord {
namespace {

constexpr std::int64_t pieces = 64;  // that a tensor is looked at in

[[noreturn]] void fail_index(const char* name, std::int64_t value, std::int64_t place, std::int64_t limit) {
  fail(Status::invalid_argument, name, " has ", value, " at place ", place, "; expected 0 to ", limit - 1);
}

/// Whether all values are known to be indices; throws where it is known that they are not.
bool known_indices(const char* name, const Tensor& tensor, std::int64_t limit) {
  const auto range = tensor.storage->remembered();
  const auto [first, last] = tensor.reach();
  if (!range || first < range->first || last > range->last) return false;
  if (range->least >= 0 && range->largest < limit) return true;
  // Of a part of what was copied, only the device can tell whether the fault is in it.
  if (first != range->first || last != range->last) return false;
  if (range->least < 0) fail_index(name, range->least, range->least_place, limit);
  fail_index(name, range->largest, range->largest_place, limit);
}

}  // namespace

struct IndexChecks::Found {
  struct Checked {
    const char* name;
    std::int64_t limit;
  };
  std::vector<Checked> checked;
  std::vector<std::int64_t> places;  // of the first fault of each piece, or −1

  void expect_none() const {
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] >= 0)
        fail(Status::invalid_argument, checked[i / pieces].name, " has no index at place ", places[i],
             "; expected 0 to ", checked[i / pieces].limit - 1);
  }
};

void IndexChecks::add(const char* name, const Tensor& tensor, std::int64_t limit) {
  if (tensor.elements() > 0 && !known_indices(name, tensor, limit)) unknown_.push_back({name, tensor, limit});
}

void IndexChecks::queue(const std::shared_ptr<Context>& context) {
  if (unknown_.empty()) return;
  const std::int64_t count = pieces * std::int64_t(unknown_.size());
  found_ = std::make_shared<Found>();
  found_->places.assign(std::size_t(count), -1);
  for (const Unknown& each : unknown_) found_->checked.push_back({each.name, each.limit});
  places_ = Tensor::create(context, DataType::int64, {count});
  auto* const places = places_.data<std::int64_t>();
  auto queue = context->submit();
  for (std::size_t i = 0; i < unknown_.size(); ++i)
    launch<kernels::check_indices, std::int32_t>(*queue, {.values = unknown_[i].tensor.data<std::int32_t>(),
                                                          .places = places + pieces * std::int64_t(i),
                                                          .count = unknown_[i].tensor.elements(),
                                                          .pieces = pieces,
                                                          .limit = unknown_[i].limit});
  queue->copy(found_->places.data(), places, std::size_t(count) * sizeof(std::int64_t));
}

kernels::Faults IndexChecks::faults() const {
  if (unknown_.empty()) return {};
  return {places_.data<std::int64_t>(), places_.elements()};
}

void IndexChecks::expect_none() const {
  if (found_) found_->expect_none();
}

void IndexChecks::expect_none_at_wait(Context& context) const {
  if (found_) context.check_at_wait([found = found_] { found->expect_none(); });
}

}  // namespace chord
