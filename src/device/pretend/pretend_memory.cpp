#include "device/pretend/pretend_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "common/error.hpp"
#include "common/memory.hpp"

namespace chord {
namespace {

constexpr std::size_t alignment = 256;  // what real devices give, and no more
constexpr std::size_t gap = 256;

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

bool poisoned(const char* from, std::size_t bytes) {
  return std::all_of(from, from + bytes,
                     [](char each) { return static_cast<unsigned char>(each) == PretendMemory::poison; });
}

}  // namespace

PretendMemory::PretendMemory(std::size_t capacity) : capacity_(capacity) {
  void* reserved = mmap(nullptr, capacity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED)
    fail(Status::out_of_memory, "no addresses left for a pretend GPU of ", capacity, " bytes");
  base_ = static_cast<char*>(reserved);
}

PretendMemory::~PretendMemory() { munmap(base_, capacity_); }

char* PretendMemory::first_fit(std::size_t bytes) const {
  char* place = base_;
  for (const auto& [begin, size] : blocks_) {
    if (std::size_t(begin - place) >= bytes) break;
    place = begin + aligned(size + gap);
  }
  return std::size_t(base_ + capacity_ - place) >= bytes ? place : nullptr;
}

void* PretendMemory::allocate(std::size_t bytes) {
  char* place = bytes < capacity_ ? first_fit(aligned(bytes + gap)) : nullptr;
  if (!place) fail(Status::out_of_memory, "out of device memory: ", bytes, " bytes asked for on a pretend GPU");
  expect_memory(bytes);
  used_ = std::max(used_, std::size_t(place - base_) + aligned(bytes + gap));
  const Unlocked unlocked(*this);
  std::memset(place, poison, bytes + gap);
  blocks_.emplace(place, bytes);
  return place;
}

void PretendMemory::release(void* memory) noexcept {
  const auto block = blocks_.find(static_cast<char*>(memory));
  if (block == blocks_.end()) return;
  const Unlocked unlocked(*this);
  std::memset(block->first, poison, block->second);
  blocks_.erase(block);
}

bool PretendMemory::has(const void* place) const {
  return !std::less<>()(place, base_) && std::less<>()(place, base_ + capacity_);
}

bool PretendMemory::owns(const void* place, std::size_t bytes) const {
  if (!has(place)) return false;
  const char* begin = static_cast<const char*>(place);
  auto block = blocks_.upper_bound(const_cast<char*>(begin));
  if (block == blocks_.begin()) return false;
  --block;
  return std::size_t(begin - block->first) + bytes <= block->second;
}

void PretendMemory::expect_gaps_untouched() const {
  for (const auto& [begin, size] : blocks_)
    if (!poisoned(begin + size, gap))
      fail(Status::device_failure, "a kernel or copy wrote behind the end of a block of ", size, " bytes");
}

PretendMemory::Unlocked::Unlocked(const PretendMemory& memory) : memory_(memory) {
  if (mprotect(memory_.base_, memory_.used_, PROT_READ | PROT_WRITE) != 0)
    fail(Status::device_failure, "the memory of a pretend GPU cannot be unlocked");
}

PretendMemory::Unlocked::~Unlocked() { mprotect(memory_.base_, memory_.used_, PROT_NONE); }

}  // namespace chord
