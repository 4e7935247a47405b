#include "device/context.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "common/error.hpp"
#include "device/devices.hpp"

namespace chord {
namespace {

std::atomic<pid_t> owner{0};
std::atomic<bool> exiting{false};

void claim_process() {
  pid_t none = 0;
  if (owner.compare_exchange_strong(none, getpid())) {
    // Registered after the device runtimes were loaded, so it runs before they are torn down.
    std::atexit([] { exiting = true; });
  } else if (none != getpid()) {
    fail(Status::forked, "this process was forked from one that had opened a device; open devices after the fork only");
  }
}

}  // namespace

std::shared_ptr<Context> Context::open(const std::string& selector) {
  if (owner != 0) claim_process();  // before a device runtime is touched in a forked child
  auto queue = open_device(selector);
  claim_process();
  return std::make_shared<Context>(std::move(queue));
}

Context::Context(std::unique_ptr<Queue> queue) : queue_(std::move(queue)), pool_(std::make_unique<Pool>(*queue_)) {}

Context::~Context() {
  if (abandoned()) {
    static_cast<void>(pool_.release());
    static_cast<void>(queue_.release());
    return;
  }
  try {
    queue_->wait();
  } catch (...) {
    // Nobody is left to hear of it.
  }
}

bool Context::abandoned() const {
  return device().kind != DeviceKind::host && (exiting || (owner != 0 && owner != getpid()));
}

Context::Submission Context::submit() {
  check_process();
  return {std::unique_lock(mutex_), *queue_};
}

void Context::wait() {
  check_process();
  queue_->wait();
}

void Context::trim() {
  check_process();
  pool_->trim();
}

void Context::check_process() const {
  if (owner != 0 && owner != getpid())
    fail(Status::forked, "the context was opened in process ", owner.load(), " and used in its fork ", getpid(),
         "; open a context in the process that uses it");
}

}  // namespace chord
