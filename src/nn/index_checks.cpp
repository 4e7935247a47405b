#include "nn/index_checks.hpp"

#include "common/error.hpp"
#include "device/launch.hpp"

namespace chord {
namespace {

constexpr std::int64_t pieces = 64;  // that a tensor is looked at in

[[noreturn]] void fail_index(const char* name, std::int64_t value, std::int64_t place, std::int64_t limit) {
  fail(Status::invalid_argument, name, " has ", value, " at place ", place, "; expected 0 to ", limit - 1);
}

/// Throws where it is known that some value is no index.
void expect_no_known_fault(const char* name, const Tensor& tensor, std::int64_t limit) {
  const auto range = tensor.storage->remembered();
  const auto [first, last] = tensor.reach();
  // Of a part of what was copied, only the device can tell whether the fault is in it.
  if (!range || first != range->first || last != range->last) return;
  if (range->least < 0) fail_index(name, range->least, range->least_place, limit);
  if (range->largest >= limit) fail_index(name, range->largest, range->largest_place, limit);
}

}  // namespace

struct IndexChecks::Found {
  Subjects subjects;
  std::vector<std::int64_t> places;  // of the first fault of each piece, or −1

  void expect_none() const {
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] >= 0) fail_fault(subjects, std::int64_t(i), places[i]);
  }
};

void IndexChecks::fail_fault(const Subjects& subjects, std::int64_t piece, std::int64_t place) {
  const Subject& subject = subjects[std::size_t(piece / pieces)];
  fail(Status::invalid_argument, subject.name, " has no index at place ", place, "; expected 0 to ", subject.limit - 1);
}

bool IndexChecks::known(const Tensor& tensor, std::int64_t limit) {
  const auto range = tensor.storage->remembered();
  const auto [first, last] = tensor.reach();
  return range && first >= range->first && last <= range->last && range->least >= 0 && range->largest < limit;
}

void IndexChecks::add(const char* name, const Tensor& tensor, std::int64_t limit) {
  if (tensor.elements() == 0) return;
  expect_no_known_fault(name, tensor, limit);
  if (!known(tensor, limit)) unknown_ = true;
  subjects_.push_back({name, limit});
  tensors_.push_back(tensor);
}

void IndexChecks::queue(const std::shared_ptr<Context>& context) {
  if (!unknown_) return;
  places_ = Tensor::create(context, DataType::int64, {pieces * std::int64_t(tensors_.size())});
  auto queue = context->submit();
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    launch<kernels::check_indices, std::int32_t>(*queue,
                                                 {.values = tensors_[i].data<std::int32_t>(),
                                                  .places = places_.data<std::int64_t>() + pieces * std::int64_t(i),
                                                  .count = tensors_[i].elements(),
                                                  .pieces = pieces,
                                                  .limit = subjects_[i].limit});
}

kernels::Faults IndexChecks::faults() const {
  if (!queued()) return {};
  return {places_.data<std::int64_t>(), places_.elements()};
}

/// What the device finds, on its way to the host.
std::shared_ptr<IndexChecks::Found> IndexChecks::fetch() const {
  const auto found =
      std::make_shared<Found>(Found{subjects_, std::vector<std::int64_t>(std::size_t(places_.elements()), -1)});
  places_.context().submit()->copy(found->places.data(), places_.data<void>(), places_.bytes());
  return found;
}

void IndexChecks::expect_none() const {
  if (!queued()) return;
  const auto found = fetch();
  places_.context().drain();
  found->expect_none();
}

void IndexChecks::expect_none_at_wait() const {
  if (!queued()) return;
  const auto found = fetch();
  try {
    places_.context().check_at_wait([found] { found->expect_none(); });
  } catch (...) {
    places_.context().drain();  // the copy is on its way to what is about to go
    throw;
  }
}

}  // namespace chord
