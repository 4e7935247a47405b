// Memory that fails. Sanitizers have a malloc of their own, so there only C++'s memory does.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "faults.hpp"
#include "sanitized.hpp"

#pragma GCC visibility push(default)  // for the C++ library, too

using faults::count_block;
using faults::due;
using faults::Kind;

#ifdef CHORD_SANITIZED

namespace {

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (due(Kind::memory)) return nullptr;
  void* const memory = alignment ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                                 : std::malloc(bytes ? bytes : 1);
  if (memory) count_block(1);
  return memory;
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment = 0) {
  void* const memory = allocate(bytes, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  if (memory) count_block(-1);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate_or_throw(bytes); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes); }
void* operator new(std::size_t bytes, std::align_val_t each) { return allocate_or_throw(bytes, std::size_t(each)); }
void* operator new[](std::size_t bytes, std::align_val_t each) { return allocate_or_throw(bytes, std::size_t(each)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 0); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 0); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }

#else

// glibc's own, under the names it keeps for this.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
}

namespace {

template <class Allocate>
void* attempt(const Allocate& allocate) noexcept {
  if (due(Kind::memory)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* const memory = allocate();
  if (memory) count_block(1);
  return memory;
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) {
  return attempt([=] { return __libc_malloc(bytes); });
}
void* calloc(std::size_t count, std::size_t bytes) {
  return attempt([=] { return __libc_calloc(count, bytes); });
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return attempt([=] { return __libc_memalign(alignment, bytes); });
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  void* const found = memalign(alignment, bytes);
  if (!found) return ENOMEM;
  *memory = found;
  return 0;
}
void* realloc(void* memory, std::size_t bytes) {
  if (!memory) return malloc(bytes);
  if (due(Kind::memory)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_realloc(memory, bytes);
}
void free(void* memory) {
  if (memory) count_block(-1);
  __libc_free(memory);
}
}

#endif
