#include "common/log.hpp"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace chord {
namespace {

/// A callback that is running now.
struct Running {
  std::thread::id thread;
  std::uint64_t setting;  // the number of the callback
};

struct Log {
  std::mutex mutex;
  std::condition_variable ended;
  LogCallback callback = nullptr;
  void* user = nullptr;
  std::uint64_t setting = 0;
  std::vector<Running> running;
};

Log& state();

bool own(const Running& each) { return each.thread == std::this_thread::get_id(); }

// A forked child has none of the other threads that were in a callback, and would wait for them for ever.
void begin_fork() { state().mutex.lock(); }
void end_fork_in_parent() { state().mutex.unlock(); }
void end_fork_in_child() {
  Log& log = state();
  std::erase_if(log.running, [](const Running& each) { return !own(each); });
  new (&log.ended) std::condition_variable;  // nobody waits here
  log.mutex.unlock();
}

Log& state() {
  // Never destroyed: there may be messages while the process exits.
  static Log& log = *new Log;
  return log;
}

const int handles_fork = pthread_atfork(begin_fork, end_fork_in_parent, end_fork_in_child);

/// Notes the callback of this thread as running, and calls it without the lock, so that it may use the library.
class Message {
 public:
  explicit Message(Log& log) : log_(log) {
    const std::lock_guard lock(log_.mutex);
    callback_ = log_.callback;
    user_ = log_.user;
    if (callback_) log_.running.push_back({std::this_thread::get_id(), setting_ = log_.setting});
  }
  ~Message() {
    if (!callback_) return;
    const std::lock_guard lock(log_.mutex);
    log_.running.erase(std::find_if(log_.running.begin(), log_.running.end(),
                                    [&](const Running& each) { return own(each) && each.setting == setting_; }));
    log_.ended.notify_all();
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  void send(LogLevel level, const char* text) const {
    if (callback_) callback_(static_cast<int>(level), text, user_);
  }

 private:
  Log& log_;
  LogCallback callback_ = nullptr;
  void* user_ = nullptr;
  std::uint64_t setting_ = 0;
};

}  // namespace

void set_log_callback(LogCallback callback, void* user) {
  Log& log = state();
  std::unique_lock lock(log.mutex);
  log.callback = callback;
  log.user = user;
  const std::uint64_t setting = ++log.setting;
  const auto any = [&](auto condition) { return std::any_of(log.running.begin(), log.running.end(), condition); };
  if (any(own)) return;
  log.ended.wait(lock, [&] { return !any([&](const Running& each) { return each.setting < setting; }); });
}

void log(LogLevel level, const std::string& message) { Message(state()).send(level, message.c_str()); }

}  // namespace chord
