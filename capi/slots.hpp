// Where the objects behind handles live. A handle is the number of a slot and of the slot's generation, which grows
// with every object, so that the handle of an object that is gone fits none that comes later. (It looks like an
// address, but one that no memory has.)
//
// A call pins what it uses: who destroys an object meanwhile takes its handle away at once, and the object goes with
// the last pin. Nobody ever waits for anybody, nor takes a lock that a fork could leave locked in the child.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace chord {
class Context;
}

namespace chord::capi {

enum class HandleKind;
/// For messages.
const char* name_of(HandleKind kind);

/// What can be done with an object without knowing what it is.
struct HandleType {
  HandleKind kind;
  void (*destroy)(void* object);
  const Context* (*context)(const void* object);  ///< null for one that is in no context
};

struct alignas(64) Slot {
  static constexpr std::uint64_t dead = std::uint64_t(1) << 29;  ///< free, or its object destroyed
  std::atomic<std::uint64_t> state{dead};                        ///< below that bit the pins, above it the generation
  void* object = nullptr;
  const HandleType* type = nullptr;
  std::uint32_t index = 0;
  std::atomic<std::uint32_t> next_free{0};
};

/// A handle of a new object, which is the table's from then on.
void* issue_handle(void* object, const HandleType& type);

/// Throws unless the handle is that of a live object of this kind.
Slot& pin_handle(const void* handle, HandleKind kind, const char* name);
void unpin(Slot& slot) noexcept;

/// Takes the handle away; of two threads that do, one gets an error. The object goes with the last pin.
void retire_handle(const void* handle, HandleKind kind, const char* name);

/// The same without an error, and for any kind.
void retire_if_live(const void* handle) noexcept;

/// action(handle, slot) for every object alive, which is pinned meanwhile.
void for_each_live_object(const std::function<void(const void* handle, const Slot& slot)>& action);

}  // namespace chord::capi
