#include "device/context.hpp"

#include <utility>

#include "common/error.hpp"
#include "device/devices.hpp"
#include "device/process.hpp"

namespace chord {
namespace {

template <class Open>
std::shared_ptr<Context> of_queue(const Open& open) {
  claim_process();
  auto queue = open();
  watch_for_exit();
  return std::make_shared<Context>(std::move(queue));
}

}  // namespace

std::shared_ptr<Context> Context::open(const std::string& selector) {
  return of_queue([&] { return open_device(selector); });
}

std::shared_ptr<Context> Context::adopt(const std::string& backend, const ForeignQueue& foreign) {
  return of_queue([&] { return adopt_queue(backend, foreign); });
}

std::atomic<Context::Runtime*> Context::left_{nullptr};

Context::Context(std::unique_ptr<Queue> queue) : runtime_(std::make_unique<Runtime>()) {
  runtime_->queue = std::move(queue);
  runtime_->pool = std::make_unique<Pool>(*runtime_->queue);
}

Context::~Context() {
  if (abandoned()) {
    // In reach, so that leak checkers see what is meant.
    Runtime* left = runtime_.release();
    left->next_left = left_.exchange(left);
    return;
  }
  drain();
}

bool Context::abandoned() const {
  return !in_owner_process() || (device().kind != DeviceKind::host && process_is_exiting());
}

Context::Submission Context::submit() {
  check_process();
  return {std::unique_lock(mutex_), *runtime_->queue};
}

std::unique_ptr<Recording> Context::record(const std::function<void()>& work) {
  const Submission queue = submit();
  const std::unique_lock lock(recording_);
  queue->begin_recording();
  recorder_ = std::this_thread::get_id();
  std::exception_ptr problem;
  try {
    work();
  } catch (...) {
    problem = std::current_exception();
  }
  recorder_ = std::thread::id();
  if (!problem) return queue->end_recording();
  try {
    queue->end_recording();
  } catch (...) {
    // What went wrong first is what counts.
  }
  std::rethrow_exception(problem);
}

void Context::wait() {
  check_process();
  std::vector<std::function<void()>> checks;
  {
    const std::lock_guard lock(error_mutex_);
    checks.swap(checks_);
  }
  drain();
  for (const auto& check : checks) keep_error(check);
  const std::lock_guard lock(error_mutex_);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Context::check_at_wait(std::function<void()> check) {
  const std::lock_guard lock(error_mutex_);
  checks_.push_back(std::move(check));
}

/// The first error stays until a wait() reports it.
template <class Action>
bool Context::keep_error(const Action& action) noexcept {
  try {
    action();
    return true;
  } catch (...) {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::current_exception();
    return false;
  }
}

bool Context::drain() noexcept {
  std::shared_lock lock(recording_, std::defer_lock);
  if (recorder_.load() != std::this_thread::get_id()) lock.lock();
  return keep_error([&] { runtime_->queue->wait(); });
}

void Context::trim() {
  check_process();
  runtime_->pool->trim();
}

void Context::check_process() const {
  if (!in_owner_process())
    fail(Status::forked,
         "the context was opened in another process, of which this one is a fork; open a context in the "
         "process that uses it");
}

}  // namespace chord
