#include "capi/slots.hpp"

#include <array>
#include <bit>
#include <memory>

#include "common/error.hpp"

namespace chord::capi {
namespace {

constexpr std::uint64_t dead = Slot::dead, one_pin = 1, all_pins = dead - 1, one_generation = dead << 1;
constexpr int generation_bits = 34;
constexpr std::uint64_t last_generation = (std::uint64_t(1) << generation_bits) - 1;
std::uint64_t generation_of(std::uint64_t state) { return state / one_generation; }

// A handle: its two highest bits are 1 and 0, which no address has; then the generation and the slot's number.
constexpr int index_bits = 28;
constexpr std::uint64_t mark = std::uint64_t(2) << 62;
static_assert(index_bits + generation_bits == 62 && sizeof(void*) == sizeof(std::uint64_t));

void* handle_of(std::uint64_t generation, std::uint32_t index) {
  return reinterpret_cast<void*>(std::uintptr_t(mark | generation << index_bits | index));
}

/// All slots, in chunks that double in size and are never given back: a slot stays where it is.
class Slots {
 public:
  /// A slot nobody has.
  Slot& take() {
    if (Slot* const free = pop()) return *free;
    const std::uint32_t index = count_.fetch_add(1);
    if (index >> index_bits) {
      count_.fetch_sub(1);
      fail(Status::too_large, "there are ", index, " objects already");
    }
    Slot& slot = *find_or_make(index);
    slot.index = index;
    return slot;
  }

  /// For another object, under the next generation. A slot that has had them all is not used again.
  void give_back(Slot& slot) {
    const std::uint64_t generation = generation_of(slot.state.load());
    if (generation == last_generation) return;
    slot.state.store((generation + 1) * one_generation | dead);
    push(slot);
  }

  /// Null where there never was such a slot.
  Slot* find(std::uint32_t index) const {
    if (index >= count_.load(std::memory_order_acquire)) return nullptr;
    Slot* const chunk = chunks_[chunk_of(index)].load(std::memory_order_acquire);
    return chunk ? chunk + place_in_chunk(index) : nullptr;
  }

  std::uint32_t count() const { return count_.load(); }

 private:
  static constexpr int first_chunk_bits = 6;
  static int chunk_of(std::uint32_t index) { return std::bit_width(index >> first_chunk_bits); }
  static std::uint32_t chunk_size(int chunk) { return 1u << (first_chunk_bits + (chunk > 0 ? chunk - 1 : 0)); }
  static std::uint32_t place_in_chunk(std::uint32_t index) {
    const int chunk = chunk_of(index);
    return chunk > 0 ? index - chunk_size(chunk) : index;
  }

  Slot* find_or_make(std::uint32_t index) {
    std::atomic<Slot*>& chunk = chunks_[chunk_of(index)];
    if (!chunk.load()) {
      auto fresh = std::make_unique<Slot[]>(chunk_size(chunk_of(index)));
      Slot* none = nullptr;
      if (chunk.compare_exchange_strong(none, fresh.get())) fresh.release();
    }
    return chunk.load() + place_in_chunk(index);
  }

  // Free slots are a stack: its top is the number of a slot, plus one, and how often it was changed, so that a top that
  // came back is not taken for one that never went.
  static constexpr std::uint64_t one_change = std::uint64_t(1) << 32;
  static std::uint64_t changed(std::uint64_t top, std::uint32_t to) { return (top / one_change + 1) * one_change | to; }

  Slot* pop() {
    std::uint64_t top = free_.load();
    while (const auto number = std::uint32_t(top)) {
      Slot* const slot = find(number - 1);
      if (free_.compare_exchange_weak(top, changed(top, slot->next_free.load()))) return slot;
    }
    return nullptr;
  }

  void push(Slot& slot) {
    std::uint64_t top = free_.load();
    do {
      slot.next_free.store(std::uint32_t(top));
    } while (!free_.compare_exchange_weak(top, changed(top, slot.index + 1)));
  }

  std::array<std::atomic<Slot*>, index_bits - first_chunk_bits + 1> chunks_{};
  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::uint64_t> free_{0};
};

// Never destroyed: handles may be destroyed while the process exits.
constinit Slots slots;

/// The slot of a handle whose object is alive, its state then with `change` added to it; null otherwise.
Slot* change_live(const void* handle, std::uint64_t change) {
  const auto bits = std::uint64_t(reinterpret_cast<std::uintptr_t>(handle));
  if (bits >> 62 != mark >> 62) return nullptr;
  Slot* const slot = slots.find(std::uint32_t(bits & ((std::uint64_t(1) << index_bits) - 1)));
  if (!slot) return nullptr;
  const std::uint64_t generation = (bits ^ mark) >> index_bits;
  std::uint64_t state = slot->state.load(std::memory_order_relaxed);
  do {
    if (generation_of(state) != generation || state & dead) return nullptr;
  } while (!slot->state.compare_exchange_weak(state, state + change, std::memory_order_acq_rel));
  return slot;
}

}  // namespace

void* issue_handle(void* object, const HandleType& type) {
  Slot& slot = slots.take();
  slot.object = object;
  slot.type = &type;
  const std::uint64_t generation = generation_of(slot.state.load());
  slot.state.store(generation * one_generation);
  return handle_of(generation, slot.index);
}

Slot& pin_handle(const void* handle, HandleKind kind, const char* name) {
  if (!handle) fail(Status::invalid_handle, name, " is NULL; expected a ", name_of(kind));
  Slot* const slot = change_live(handle, one_pin);
  if (!slot)
    fail(Status::invalid_handle, name, " is not a live ", name_of(kind), "; it was destroyed, or never created");
  if (slot->type->kind == kind) return *slot;
  const HandleKind found = slot->type->kind;
  unpin(*slot);
  fail(Status::invalid_handle, name, " is a ", name_of(found), "; expected a ", name_of(kind));
}

void unpin(Slot& slot) noexcept {
  const std::uint64_t left = slot.state.fetch_sub(one_pin, std::memory_order_acq_rel) - one_pin;
  if ((left & (dead | all_pins)) != dead) return;
  slot.type->destroy(slot.object);
  slots.give_back(slot);
}

void retire_handle(const void* handle, HandleKind kind, const char* name) {
  Slot& slot = pin_handle(handle, kind, name);
  // Dead, with this thread's pin still on it.
  const bool was_alive = !(slot.state.fetch_or(dead, std::memory_order_acq_rel) & dead);
  unpin(slot);
  if (!was_alive) fail(Status::invalid_handle, name, " was destroyed by another thread");
}

void retire_if_live(const void* handle) noexcept {
  Slot* const slot = change_live(handle, one_pin);
  if (!slot) return;
  slot->state.fetch_or(dead, std::memory_order_acq_rel);
  unpin(*slot);
}

void for_each_live_object(const std::function<void(const void* handle, const Slot& slot)>& action) {
  for (std::uint32_t index = 0; index < slots.count(); ++index) {
    Slot* const slot = slots.find(index);
    if (!slot) continue;
    const void* const handle = handle_of(generation_of(slot->state.load()), index);
    if (!change_live(handle, one_pin)) continue;
    action(handle, *slot);
    unpin(*slot);
  }
}

}  // namespace chord::capi
