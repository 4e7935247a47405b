// Memory of devices, pinned memory of the host, copies.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "counts.hpp"
#include "driver.hpp"
#include "options.hpp"
#include "standin.hpp"

namespace chord::cuda {

using standin::Arena;
using standin::CopyKind;

namespace {

constexpr std::size_t page = 4096;

std::string describe(Address address) {
  const Arena* arena = arena_of(address);
  return arena ? arena->describe(address) : format("%#llx, pinned memory of the host", address);
}

/// Whether an allocation contains the range; of other memory of the host nothing is known.
bool is_good(Address address, std::size_t bytes) {
  if (const Arena* arena = arena_of(address)) return arena->allocation(address).contains(address, bytes);
  const standin::Range pinned = driver().pinned.around(address);
  return !pinned || pinned.contains(address, bytes);
}

CopyKind kind_of(const Arena* to, const Arena* from) {
  if (to) return from ? CopyKind::on_device : CopyKind::to_device;
  return from ? CopyKind::to_host : CopyKind::on_host;
}

void note_written(Arena* to_arena, Address to, const Arena* from_arena, Address from, std::size_t bytes) {
  if (to_arena && from_arena) return to_arena->copy_marks(to, *from_arena, from, bytes);
  if (to_arena) return to_arena->mark_written(to, bytes);
  if (!from_arena || !standin::options().uninitialised) return;
  if (const std::uint64_t missing = from_arena->unwritten(from, bytes))
    standin::report("UNINITIALISED COPY", "to the host",
                    format("to the host: %lu of %zu bytes were never written, from %s", missing, bytes,
                           from_arena->describe(from).c_str()));
}

/// When its turn comes: what was good when it was asked for need not be any more.
void copy_now(DriverContext& context, Address to, Address from, std::size_t bytes) {
  if (context.error) return;
  for (const Address address : {to, from}) {
    if (is_good(address, bytes)) continue;
    standin::report("ILLEGAL ADDRESS", "copy",
                    format("when a copy of %zu bytes runs: %s", bytes, describe(address).c_str()));
    if (standin::options().abort_on_fault) std::abort();
    context.error = illegal_address;
    return;
  }
  Arena *to_arena = arena_of(to), *from_arena = arena_of(from);
  note_written(to_arena, to, from_arena, from, bytes);
  standin::count_copy(kind_of(to_arena, from_arena), bytes);
  const auto bytes_of = [](const Arena* arena, Address address) {
    return arena ? arena->bytes(address) : reinterpret_cast<unsigned char*>(address);
  };
  std::memmove(bytes_of(to_arena, to), bytes_of(from_arena, from), bytes);
}

}  // namespace

namespace {

void (*tell_inside)(int) = nullptr;
int (*ask_fails)() = nullptr;

}  // namespace

Inside::Inside() {
  if (tell_inside) tell_inside(1);
}
Inside::~Inside() {
  if (tell_inside) tell_inside(0);
}

bool memory_fails() { return ask_fails && ask_fails() != 0; }

Result cuMemAlloc_v2(Address* address, std::size_t bytes) {
  return with_context("cuMemAlloc", [&](DriverContext& context) -> Result {
    if (const Result refused = refuse_in_capture("cuMemAlloc")) return refused;
    if (!bytes) return misuse(invalid_value, "cuMemAlloc of 0 bytes");
    if (memory_fails()) return out_of_memory;
    *address = context.memory.allocate(bytes);
    standin::count_allocation();
    return *address ? success : out_of_memory;
  });
}

Result cuMemFree_v2(Address address) {
  return with_context("cuMemFree", [&](DriverContext&) -> Result {
    if (!address) return success;
    if (const Result refused = refuse_in_capture("cuMemFree")) return refused;
    for (const auto& context : driver().contexts) finish_all(*context);
    Arena* arena = arena_of(address);
    return arena && arena->release(address) ? success : misuse(invalid_value, "cuMemFree of " + describe(address));
  });
}

Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return with_context("cuMemGetInfo", [&](DriverContext& context) {
    *total = context.memory.capacity();
    *free = *total - context.memory.used();
    return success;
  });
}

Result cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return with_context("cuMemHostAlloc", [&](DriverContext&) -> Result {
    if (const Result refused = refuse_in_capture("cuMemHostAlloc")) return refused;
    if (!bytes) return misuse(invalid_value, "cuMemHostAlloc of 0 bytes");
    if (memory_fails()) return out_of_memory;
    *memory = std::aligned_alloc(page, (bytes + page - 1) / page * page);
    if (!*memory) return out_of_memory;
    std::memset(*memory, 0xff, bytes);
    driver().pinned.add({reinterpret_cast<std::uint64_t>(*memory), bytes});
    standin::count_allocation();
    return success;
  });
}

Result cuMemFreeHost(void* memory) {
  return with_context("cuMemFreeHost", [&](DriverContext&) -> Result {
    if (const Result refused = refuse_in_capture("cuMemFreeHost")) return refused;
    for (const auto& context : driver().contexts) finish_all(*context);
    if (!driver().pinned.remove(reinterpret_cast<std::uint64_t>(memory)))
      return misuse(invalid_value, "cuMemFreeHost of memory that is not pinned");
    std::free(memory);
    return success;
  });
}

// Memory of the host is read when the copy runs, in lazy mode too: who changes it before waiting gets what he deserves.
Result cuMemcpyAsync(Address to, Address from, std::size_t bytes, Stream* stream) {
  return with_stream("cuMemcpyAsync", stream, [&](Stream& queue) -> Result {
    for (const Address address : {to, from})
      if (!is_good(address, bytes))
        return misuse(invalid_value, format("copy of %zu bytes %s %s", bytes, address == to ? "to" : "from",
                                            describe(address).c_str()));
    DriverContext& context = *queue.context;
    return enqueue(queue, [&context, to, from, bytes] { copy_now(context, to, from, bytes); });
  });
}

Result cuPointerGetAttribute(void* value, int attribute, Address address) {
  return with_driver("cuPointerGetAttribute", [&]() -> Result {
    const auto owner = std::find_if(driver().contexts.begin(), driver().contexts.end(),
                                    [&](const auto& context) { return bool(context->memory.allocation(address)); });
    const bool on_device = owner != driver().contexts.end();
    if (!on_device && !driver().pinned.around(address)) return invalid_value;
    DriverContext* context = on_device ? owner->get() : driver().contexts[0].get();
    switch (attribute) {
      case pointer_context: *static_cast<DriverContext**>(value) = context; return success;
      case pointer_memory_type: *static_cast<int*>(value) = on_device ? memory_device : memory_host; return success;
      case pointer_device: *static_cast<int*>(value) = context->device; return success;
      default: return invalid_value;
    }
  });
}

}  // namespace chord::cuda

extern "C" __attribute__((visibility("default"))) void chord_standin_watch_memory(void (*inside)(int), int (*fails)()) {
  chord::cuda::tell_inside = inside;
  chord::cuda::ask_fails = fails;
}
