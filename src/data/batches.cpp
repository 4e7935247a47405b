#include "data/batches.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "common/memory.hpp"
#include "common/size.hpp"

namespace chord {
namespace {

/// One with the caller, the others in preparation or ready.
constexpr std::int64_t slots = 4;

std::vector<Batch> empty_batches(const BatchPlan& plan, std::int64_t first) {
  const std::int64_t count = std::min(slots, plan.count() - first);
  const auto bytes_of = [&](std::size_t each) { return checked_multiply(plan.largest(), std::int64_t(each)); };
  const std::int64_t inputs = bytes_of(plan.dataset().input_bytes()), labels = bytes_of(Dataset::label_bytes);
  expect_memory(std::size_t(checked_multiply(count, checked_add(inputs, labels))));
  std::vector<Batch> batches(static_cast<std::size_t>(count));
  for (Batch& each : batches) {
    each.inputs.resize(std::size_t(inputs));
    each.labels.resize(std::size_t(labels));
  }
  return batches;
}

std::int64_t checked_first(const BatchPlan& plan, std::int64_t first) {
  if (first < 0 || first > plan.count())
    fail(Status::invalid_argument, "first is ", first, "; there are ", plan.count(), " batches, so expected 0 to ",
         plan.count());
  return first;
}

}  // namespace

/// What the thread and its user share.
class Batches::Preparation {
 public:
  Preparation(BatchPlan plan, std::int64_t first)
      : plan_(std::move(plan)),
        prepared_(checked_first(plan_, first)),
        given_(first),
        batches_(empty_batches(plan_, first)),
        thread_([this] { run(); }) {}

  ~Preparation() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  const BatchPlan& plan() const { return plan_; }

  const Batch* next() {
    std::unique_lock lock(mutex_);
    if (given_ == plan_.count()) return nullptr;
    changed_.wait(lock, [&] { return prepared_ > given_ || failure_; });
    if (prepared_ == given_) std::rethrow_exception(failure_);
    changed_.notify_all();
    return &batch(given_++);
  }

 private:
  Batch& batch(std::int64_t number) { return batches_[std::size_t(number) % batches_.size()]; }

  void run() noexcept {
    try {
      while (wait_for_room() && fill(prepared_)) publish();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  /// False where nothing is left to do.
  bool wait_for_room() {
    std::unique_lock lock(mutex_);
    if (prepared_ == plan_.count()) return false;
    // The caller still looks at the batch before given_.
    changed_.wait(lock, [&] { return stop_ || prepared_ < given_ + slots - 1; });
    return !stop_;
  }

  /// False where it was told to stop.
  bool fill(std::int64_t number) {
    const Dataset& dataset = plan_.dataset();
    Batch& target = batch(number);
    target.count = plan_.size(number);
    char *input = target.inputs.data(), *label = target.labels.data();
    for (std::int64_t place = 0; place < target.count; ++place) {
      if (stop_) return false;
      dataset.read(plan_.sequence(number, place), input, label);
      input += dataset.input_bytes();
      label += Dataset::label_bytes;
    }
    return true;
  }

  void publish() {
    const std::lock_guard lock(mutex_);
    ++prepared_;
    changed_.notify_all();
  }

  const BatchPlan plan_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t prepared_, given_;  ///< the next batch to be prepared, and to be given to the caller
  std::vector<Batch> batches_;
  std::atomic<bool> stop_{false};
  std::exception_ptr failure_;
  std::thread thread_;  ///< last: it uses all of the above
};

Batches::Batches(BatchPlan plan, std::int64_t first)
    : preparation_(new Preparation(std::move(plan), first)), owner_(getpid()) {}

Batches::~Batches() {
  if (getpid() == owner_) delete preparation_;
}

void Batches::check_process() const {
  if (getpid() != owner_)
    fail(Status::forked, "process ", getpid(), " was forked from ", owner_,
         ", which has the thread that prepares the batches; create them in the process that uses them");
}

std::int64_t Batches::count() const { return preparation_->plan().count(); }

const Batch* Batches::next() { return preparation_->next(); }

}  // namespace chord
