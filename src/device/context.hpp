// A device opened for work: its queue, its memory, and the lock that lets several threads use it.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "device/pool.hpp"
#include "device/queue.hpp"

namespace chord {

class Context {
 public:
  static std::shared_ptr<Context> open(const std::string& selector);
  /// On a queue of the caller's (Backend::adopt).
  static std::shared_ptr<Context> adopt(const std::string& backend, const ForeignQueue& foreign);
  explicit Context(std::unique_ptr<Queue> queue);
  ~Context();

  const DeviceDescription& device() const { return runtime_->queue->device(); }
  Pool& pool() { return *runtime_->pool; }

  /// The queue, for submitting: held until the returned lock goes.
  struct Submission {
    std::unique_lock<std::recursive_mutex> lock;
    Queue& queue;
    Queue* operator->() const { return &queue; }
    Queue& operator*() const { return queue; }
  };
  Submission submit();

  /// What `work` submits is not done but noted, where the queue can do that. Others who submit or wait in this context
  /// stand by until it is.
  std::unique_ptr<Recording> record(const std::function<void()>& work);

  /// Returns when all work so far is done; throws the first asynchronous error since the last wait. Holds no lock, so
  /// other threads go on submitting.
  void wait();

  /// Has `check` called by the next wait(), whose work includes all that is queued so far; what it throws is thrown
  /// there. For faults that only the device can see. It should not keep this context alive.
  void check_at_wait(std::function<void()> check);

  /// Waits as well, but leaves an error to the next wait(); returns whether there was none.
  bool drain() noexcept;

  /// Gives unused memory back to the device.
  void trim();

  /// True where the device's runtime and our own locks may no longer be touched: in a forked child, where other
  /// threads may have held them, and once the process has begun to exit. What the context holds then goes with the
  /// process. (The host has no runtime that could be gone at exit.)
  bool abandoned() const;

  /// Throws Status::forked in a process that is not the one this context was opened in.
  void check_process() const;

 private:
  template <class Action>
  bool keep_error(const Action& action) noexcept;

  /// What belongs to the device's runtime. Where that is gone before the context, it is left alone, but in reach.
  struct Runtime {
    std::unique_ptr<Queue> queue;
    std::unique_ptr<Pool> pool;
    Runtime* next_left = nullptr;
  };
  static std::atomic<Runtime*> left_;
  std::unique_ptr<Runtime> runtime_;
  std::recursive_mutex mutex_;   // whoever records submits under his own lock
  std::shared_mutex recording_;  // held alone by who records, shared by those who wait
  std::atomic<std::thread::id> recorder_{};
  std::mutex error_mutex_;
  std::exception_ptr error_;  // of queued work, until a wait() reports it
  std::vector<std::function<void()>> checks_;
};

/// A block of a context's pool for the time of an operation.
class Scratch {
 public:
  Scratch(Context& context, std::size_t bytes) : context_(context), memory_(context.pool().allocate(bytes)) {}
  ~Scratch() { context_.pool().release(memory_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  Context& context_;
  void* memory_;
};

}  // namespace chord
