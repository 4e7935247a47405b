#include "device/host/host_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

#include "common/error.hpp"
#include "common/memory.hpp"

namespace chord {
namespace {

constexpr std::size_t huge_page = std::size_t(2) << 20;

}  // namespace

void* allocate_host(std::size_t bytes) {
  expect_memory(bytes);
  const bool large = bytes >= huge_page;
  const std::size_t alignment = large ? huge_page : 64;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, std::max<std::size_t>(bytes, 1)) != 0)
    fail(Status::out_of_memory, "out of memory: ", bytes, " bytes asked for");
  if (large) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void release_host(void* memory) noexcept { std::free(memory); }

}  // namespace chord
