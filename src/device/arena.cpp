#include "device/arena.hpp"

#include <algorithm>
#include <numeric>

#include "common/error.hpp"

namespace chord {

Arena::~Arena() {
  if (context_.abandoned()) return;
  for (const Block& block : blocks_) context_.pool().release(block.memory);
}

std::size_t Arena::bytes() const {
  const std::lock_guard lock(context_.pool().mutex_);
  return std::accumulate(blocks_.begin(), blocks_.end(), std::size_t(0),
                         [](std::size_t sum, const Block& block) { return sum + block.size; });
}

Arena::Use::Use(Arena& arena, std::vector<void*>& order) : arena_(arena), lock_(arena.context_.pool().mutex_) {
  arena_.order_ = &order;
  arena_.again_ = !order.empty();
  arena_.next_ = 0;
  arena_.context_.pool().arena_ = &arena_;
}

Arena::Use::~Use() {
  arena_.context_.pool().arena_ = nullptr;
  for (Block& block : arena_.blocks_) block.taken = false;
}

Arena::Block* Arena::smallest_free(std::size_t size) {
  Block* best = nullptr;
  for (Block& block : blocks_)
    if (!block.taken && block.size >= size && (!best || block.size < best->size)) best = &block;
  return best;
}

Arena::Block* Arena::find(void* memory) {
  const auto found =
      std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& block) { return block.memory == memory; });
  return found == blocks_.end() ? nullptr : &*found;
}

void* Arena::take(std::size_t size) {
  Block* block = again_ ? again(size) : smallest_free(size);
  if (!block) {
    blocks_.reserve(blocks_.size() + 1);  // what was taken must not get lost
    blocks_.push_back({context_.pool().take(size), size});
    block = &blocks_.back();
  }
  if (!again_) order_->push_back(block->memory);
  block->taken = true;
  context_.pool().queue_.forget(block->memory, block->size);
  return block->memory;
}

Arena::Block* Arena::again(std::size_t size) {
  Block* block = next_ < order_->size() ? find((*order_)[next_++]) : nullptr;
  if (!block || block->taken || block->size < size)
    fail(Status::internal, "work that is run again takes other memory than before");
  return block;
}

bool Arena::put(void* memory) noexcept {
  Block* block = find(memory);
  if (!block || !block->taken) return false;
  block->taken = false;
  return true;
}

}  // namespace chord
