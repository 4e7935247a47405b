#include "common/log.hpp"

#include <mutex>
#include <utility>

namespace chord {
namespace {

std::mutex mutex;
LogCallback current = nullptr;
void* current_user = nullptr;

}  // namespace

void set_log_callback(LogCallback callback, void* user) {
  const std::lock_guard lock(mutex);
  current = callback;
  current_user = user;
}

void log(LogLevel level, const std::string& message) noexcept {
  std::pair<LogCallback, void*> target;
  {
    const std::lock_guard lock(mutex);
    target = {current, current_user};
  }
  // Called without the lock, so that a callback may use the library.
  if (target.first) target.first(static_cast<int>(level), message.c_str(), target.second);
}

}  // namespace chord
