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

void Pool::count_in_use(std::size_t size) {
  statistics_.bytes_in_use += size;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.bytes_in_use);
}

void* Pool::reuse(std::size_t size) {
  const auto found = free_.lower_bound(size);
  if (found == free_.end() || found->first > size + size / 4) return nullptr;
  void* memory = found->second;
  queue_.forget(memory, found->first);
  count_in_use(found->first);
  all_.find(memory)->second = free_.extract(found);
  return memory;
}

void* Pool::allocate(std::size_t bytes) {
  const std::size_t size = block_size(bytes);
  const std::lock_guard lock(mutex_);
  return arena_ ? arena_->take(size) : take(size);
}

void* Pool::take(std::size_t size) {
  void* const known = reuse(size);
  return known ? known : fresh_block(size);
}

void* Pool::fresh_block(std::size_t size) {
  Blocks block;
  block.emplace(size, nullptr);
  Entries entry;
  entry.emplace(nullptr, block.extract(block.begin()));
  all_.reserve(all_.size() + 1);
  void* const memory = from_device(size);
  auto node = entry.extract(entry.begin());
  node.key() = memory;
  node.mapped().mapped() = memory;
  all_.insert(std::move(node));
  statistics_.reserved_bytes += size;
  ++statistics_.device_allocations;
  count_in_use(size);
  return memory;
}

void* Pool::from_device(std::size_t size) {
  try {
    return queue_.allocate(size);
  } catch (const Error& error) {
    if (error.status() != Status::out_of_memory || free_.empty()) throw;
  }
  trim_locked();
  return queue_.allocate(size);
}

void Pool::release(void* memory) noexcept {
  const std::lock_guard lock(mutex_);
  if (arena_ && arena_->put(memory)) return;
  const auto found = all_.find(memory);
  if (found == all_.end() || found->second.empty()) return;
  statistics_.bytes_in_use -= found->second.key();
  free_.insert(std::move(found->second));
}

// The lock is held while waiting: a block released later, by another thread, must not be freed under its work.
void Pool::trim_locked() {
  queue_.wait();
  for (const auto& [size, memory] : free_) {
    queue_.release(memory);
    all_.erase(memory);
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
