#include "device/process.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "common/error.hpp"

namespace chord {
namespace {

std::atomic<pid_t> owner{0};
std::atomic<bool> exiting{false};

}  // namespace

void claim_process() {
  pid_t none = 0;
  if (!owner.compare_exchange_strong(none, getpid()) && none != getpid())
    fail(Status::forked, "process ", getpid(), " was forked from ", none,
         ", which had used devices; open contexts in the process that uses them");
}

bool in_owner_process() { return owner == 0 || owner == getpid(); }

void watch_for_exit() {
  static const bool registered = std::atexit([] { exiting = true; }) == 0;
  static_cast<void>(registered);
}

bool process_is_exiting() { return exiting; }

}  // namespace chord
