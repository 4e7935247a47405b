#include "device/context.hpp"

#include <utility>

#include "common/error.hpp"
#include "device/devices.hpp"
#include "device/process.hpp"

namespace chord {

std::shared_ptr<Context> Context::open(const std::string& selector) {
  claim_process();
  auto queue = open_device(selector);
  watch_for_exit();
  return std::make_shared<Context>(std::move(queue));
}

Context::Context(std::unique_ptr<Queue> queue) : queue_(std::move(queue)), pool_(std::make_unique<Pool>(*queue_)) {}

Context::~Context() {
  if (abandoned()) {
    // Left to the end of the process, but in reach, so that leak checkers see what is meant.
    static std::mutex& mutex = *new std::mutex;
    static auto& left = *new std::vector<std::pair<std::unique_ptr<Pool>, std::unique_ptr<Queue>>>;
    const std::lock_guard lock(mutex);
    left.emplace_back(std::move(pool_), std::move(queue_));
    return;
  }
  drain();
}

bool Context::abandoned() const {
  return device().kind != DeviceKind::host && (process_is_exiting() || !in_owner_process());
}

Context::Submission Context::submit() {
  check_process();
  return {std::unique_lock(mutex_), *queue_};
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
  return keep_error([&] { queue_->wait(); });
}

void Context::trim() {
  check_process();
  pool_->trim();
}

void Context::check_process() const {
  if (!in_owner_process())
    fail(Status::forked,
         "the context was opened in another process, of which this one is a fork; open a context in the "
         "process that uses it");
}

}  // namespace chord
