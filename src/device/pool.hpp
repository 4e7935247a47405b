// Memory of one context: blocks are kept and reused, because fresh large allocations are slow (every page faults) and a
// training step should allocate nothing.
//
// A block may be handed out again while earlier work that uses it is still queued: the queue is in order, so the new
// owner's work comes after it.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "device/queue.hpp"

namespace chord {

struct PoolStatistics {
  std::size_t bytes_in_use = 0, peak_bytes = 0, reserved_bytes = 0;
  std::size_t device_allocations = 0;  ///< how often the device was asked for memory; constant after warm-up
};

class Arena;

class Pool {
 public:
  explicit Pool(Queue& queue) : queue_(queue) {}
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// What a block of so many bytes takes: few sizes, so that blocks fit again.
  static std::size_t block_size(std::size_t bytes);

  void* allocate(std::size_t bytes);
  void release(void* memory) noexcept;

  /// Waits for the queue, then gives unused blocks back to the device.
  void trim();
  PoolStatistics statistics() const;

 private:
  friend class Arena;

  // Unused blocks by size, and all blocks by address. One in use has its entry aside, so that only a block that is new
  // allocates anything here, and that before the device is asked: no block is ever lost.
  using Blocks = std::multimap<std::size_t, void*>;
  using Entries = std::unordered_map<void*, Blocks::node_type>;

  void* take(std::size_t size);
  void* reuse(std::size_t size);
  void* fresh_block(std::size_t size);
  void* from_device(std::size_t size);
  void count_in_use(std::size_t size);
  void trim_locked();

  Queue& queue_;
  mutable std::recursive_mutex mutex_;  // an arena in use holds it, too
  Arena* arena_ = nullptr;              // where blocks come from while one is in use
  Blocks free_;
  Entries all_;
  PoolStatistics statistics_;
};

}  // namespace chord
