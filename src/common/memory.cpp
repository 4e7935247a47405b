#include "common/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "common/error.hpp"

namespace chord {
namespace {

/// The number a file has; no limit where it says "max" or does not exist.
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

/// Bytes of files kept in memory, which count as used, but give way.
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

void expect_memory(std::size_t bytes) {
  constexpr std::size_t small = std::size_t(2) << 20;  // not worth asking the system
  if (bytes < small) return;
  const std::size_t available = available_host_memory();
  if (bytes > available)
    fail(Status::out_of_memory, "out of memory: ", bytes, " bytes asked for, ", available, " available");
}

}  // namespace chord
