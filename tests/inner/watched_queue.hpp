// A queue that counts what it is asked to do, and can be told not to record; another one does the work.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "device/queue.hpp"

namespace testing {

/// What reached the device's queue; work inside of a replay is not counted again.
struct QueueCounts {
  int launches = 0, copies = 0, uploads = 0, read_backs = 0, waits = 0, allocations = 0, recordings = 0, replays = 0;
};

class WatchedQueue final : public chord::Queue {
 public:
  WatchedQueue(std::unique_ptr<chord::Queue> queue, bool recording, std::shared_ptr<QueueCounts> counts)
      : queue_(std::move(queue)), recording_(recording), counts_(std::move(counts)) {}

  const chord::DeviceDescription& device() const override { return queue_->device(); }
  void* allocate(std::size_t bytes) override {
    count(&QueueCounts::allocations);
    void* memory = queue_->allocate(bytes);
    const std::lock_guard lock(mutex_);
    blocks_[static_cast<const char*>(memory)] = bytes;
    return memory;
  }
  void release(void* memory) noexcept override {
    {
      const std::lock_guard lock(mutex_);
      blocks_.erase(static_cast<const char*>(memory));
    }
    queue_->release(memory);
  }
  void forget(void* memory, std::size_t bytes) override { queue_->forget(memory, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) override {
    count(of_device(to) ? &QueueCounts::copies : &QueueCounts::read_backs);
    queue_->copy(to, from, bytes);
  }
  void upload(void* to, const void* from, std::size_t bytes) override {
    count(&QueueCounts::uploads);
    queue_->upload(to, from, bytes);
  }
  void run(int entry, chord::Grid grid, const void* const* leaves) override {
    count(&QueueCounts::launches);
    queue_->run(entry, grid, leaves);
  }
  void wait() override {
    count(&QueueCounts::waits);
    queue_->wait();
  }
  bool can_record() const override { return recording_ && queue_->can_record(); }
  void begin_recording() override {
    count(&QueueCounts::recordings);
    queue_->begin_recording();
  }
  std::unique_ptr<chord::Recording> end_recording() override { return queue_->end_recording(); }
  void replay(const chord::Recording& recording) override {
    count(&QueueCounts::replays);
    queue_->replay(recording);
  }

 private:
  void count(int QueueCounts::* what) {
    const std::lock_guard lock(mutex_);
    ++((*counts_).*what);
  }

  bool of_device(const void* place) {
    const std::lock_guard lock(mutex_);
    const auto next = blocks_.upper_bound(static_cast<const char*>(place));
    if (next == blocks_.begin()) return false;
    const auto& [begin, bytes] = *std::prev(next);
    return static_cast<const char*>(place) < begin + bytes;
  }

  std::unique_ptr<chord::Queue> queue_;
  bool recording_;
  std::shared_ptr<QueueCounts> counts_;
  std::mutex mutex_;
  std::map<const char*, std::size_t> blocks_;
};

}  // namespace testing
