#include "data/files/fingerprint.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <new>
#include <numeric>

#include "common/file.hpp"
#include "data/files/folder.hpp"
#include "data/files/parallel.hpp"

namespace chord {
namespace {

namespace fs = std::filesystem;

std::uint64_t hash_of_file(const fs::path& path) {
  struct stat status{};  // of a file that is missing, all zeros
  stat(path.c_str(), &status);
  const std::uint64_t parts[] = {hash_of(path.native()), std::uint64_t(status.st_size),
                                 std::uint64_t(status.st_mtim.tv_sec), std::uint64_t(status.st_mtim.tv_nsec)};
  return hash_of({reinterpret_cast<const char*>(parts), sizeof parts});
}

std::uint64_t hash_of_all(const fs::path& path) {
  std::error_code problem;
  if (!fs::is_directory(path, problem)) return hash_of_file(path);
  std::uint64_t sum = 0;
  for (const fs::path& each : paths_in(path, problem)) sum += hash_of_all(each);
  if (status_of(problem) == Status::out_of_memory) throw std::bad_alloc();  // other files than there are would be taken
  return sum;
}

}  // namespace

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char each : bytes) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
  return hash;
}

// The sum of the files' hashes: whatever order a folder lists them in, and without a list of all of them in memory.
std::uint64_t fingerprint_of(const std::vector<fs::path>& paths) {
  std::vector<std::uint64_t> hashes(paths.size());
  for_each_in_parallel(paths.size(), [&](std::size_t i) { hashes[i] = hash_of_all(paths[i]); });
  return std::accumulate(hashes.begin(), hashes.end(), std::uint64_t(0));
}

std::string hexadecimal(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

}  // namespace chord
