#include "device/host/host_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>

#include "common/error.hpp"

namespace chord {
namespace {

constexpr std::size_t huge_page = std::size_t(2) << 20;

/// A file of one number, or "max"; none where it does not exist.
std::size_t number_in(const char* path) {
  std::size_t value;
  return std::ifstream(path) >> value ? value : std::numeric_limits<std::size_t>::max();
}

std::size_t meminfo(const std::string& wanted) {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::size_t kilobytes;
  while (file >> key >> kilobytes && std::getline(file, unit))
    if (key == wanted) return kilobytes * 1024;
  return std::size_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

/// Files kept in memory count as used, but give way.
std::size_t reclaimable_in_cgroup() {
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  std::string key;
  std::size_t bytes;
  while (file >> key >> bytes)
    if (key == "inactive_file") return bytes;
  return 0;
}

}  // namespace

std::size_t total_host_memory() { return std::min(meminfo("MemTotal:"), number_in("/sys/fs/cgroup/memory.max")); }

std::size_t available_host_memory() {
  const std::size_t limit = number_in("/sys/fs/cgroup/memory.max");
  const std::size_t used = number_in("/sys/fs/cgroup/memory.current");
  if (limit == std::numeric_limits<std::size_t>::max() || used > limit) return meminfo("MemAvailable:");
  return std::min(meminfo("MemAvailable:"), limit - used + reclaimable_in_cgroup());
}

void* allocate_host(std::size_t bytes) {
  const bool large = bytes >= huge_page;
  if (large && bytes > available_host_memory())
    fail(Status::out_of_memory, "out of memory: ", bytes, " bytes asked for, ", available_host_memory(), " available");
  const std::size_t alignment = large ? huge_page : 64;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, std::max<std::size_t>(bytes, 1)) != 0)
    fail(Status::out_of_memory, "out of memory: ", bytes, " bytes asked for");
  if (large) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void release_host(void* memory) noexcept { std::free(memory); }

}  // namespace chord
