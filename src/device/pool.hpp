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

  // Blocks by size. One in use keeps its entry aside, so that releasing it allocates nothing.
  using Blocks = std::multimap<std::size_t, void*>;

  void* take(std::size_t size);
  void* reuse(std::size_t size);
  void hand_out(Blocks::node_type block);
  void trim_locked();

  Queue& queue_;
  mutable std::recursive_mutex mutex_;  // an arena in use holds it, too
  Arena* arena_ = nullptr;              // where blocks come from while one is in use
  Blocks free_;
  std::unordered_map<void*, Blocks::node_type> in_use_;
  PoolStatistics statistics_;
};

}  // namespace chord
