#include "device/pool.hpp"

#include <algorithm>
#include <limits>

#include "common/error.hpp"
#include "device/arena.hpp"

namespace chord {

// Sizes are rounded up to an eighth of their power of two: few enough for blocks to fit again, little waste.
std::size_t Pool::block_size(std::size_t bytes) {
  constexpr std::size_t smallest = 256;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) fail(Status::too_large, "cannot allocate ", bytes, " bytes");
  std::size_t step = smallest;
  while (step * 16 <= bytes) step *= 2;
  return std::max(smallest, (bytes + step - 1) / step * step);
}

void Pool::hand_out(Blocks::node_type block) {
  const std::size_t size = block.key();
  void* memory = block.mapped();
  in_use_.emplace(memory, std::move(block));
  statistics_.bytes_in_use += size;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.bytes_in_use);
}

void* Pool::reuse(std::size_t size) {
  const auto found = free_.lower_bound(size);
  if (found == free_.end() || found->first > size + size / 4) return nullptr;
  void* memory = found->second;
  queue_.forget(memory, found->first);
  hand_out(free_.extract(found));
  return memory;
}

void* Pool::allocate(std::size_t bytes) {
  const std::size_t size = block_size(bytes);
  const std::lock_guard lock(mutex_);
  return arena_ ? arena_->take(size) : take(size);
}

void* Pool::take(std::size_t size) {
  if (void* memory = reuse(size)) return memory;
  Blocks fresh;
  const auto entry = fresh.emplace(size, nullptr);
  in_use_.reserve(in_use_.size() + 1);
  try {
    entry->second = queue_.allocate(size);
  } catch (const Error& error) {
    if (error.status() != Status::out_of_memory || free_.empty()) throw;
    trim_locked();
    entry->second = queue_.allocate(size);
  }
  void* memory = entry->second;
  statistics_.reserved_bytes += size;
  ++statistics_.device_allocations;
  hand_out(fresh.extract(entry));
  return memory;
}

void Pool::release(void* memory) noexcept {
  const std::lock_guard lock(mutex_);
  if (arena_ && arena_->put(memory)) return;
  const auto found = in_use_.find(memory);
  if (found == in_use_.end()) return;
  statistics_.bytes_in_use -= found->second.key();
  free_.insert(std::move(found->second));
  in_use_.erase(found);
}

// The lock is held while waiting: a block released later, by another thread, must not be freed under its work.
void Pool::trim_locked() {
  queue_.wait();
  for (const auto& [size, memory] : free_) {
    queue_.release(memory);
    statistics_.reserved_bytes -= size;
  }
  free_.clear();
}

void Pool::trim() {
  const std::lock_guard lock(mutex_);
  trim_locked();
}

Pool::~Pool() {
  for (const auto& [size, memory] : free_) queue_.release(memory);
}

PoolStatistics Pool::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

}  // namespace chord
