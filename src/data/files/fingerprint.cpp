#include "data/files/fingerprint.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdio>

#include "common/text.hpp"

namespace chord {
namespace {

namespace fs = std::filesystem;

std::uint64_t hash_of_file(const fs::path& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return hash_of(text(path.native(), "\nmissing"));
  return hash_of(text(path.native(), '\n', status.st_size, '\n', status.st_mtim.tv_sec, '\n', status.st_mtim.tv_nsec));
}

}  // namespace

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char each : bytes) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
  return hash;
}

// The sum of the files' hashes: whatever order a folder lists them in, and without a list of all of them in memory.
std::uint64_t fingerprint_of(const std::vector<fs::path>& paths) {
  constexpr auto options = fs::directory_options::follow_directory_symlink;
  std::uint64_t sum = 0;
  std::error_code problem;
  for (const fs::path& each : paths) {
    if (!fs::is_directory(each, problem)) {
      sum += hash_of_file(each);
      continue;
    }
    for (fs::recursive_directory_iterator entry(each, options, problem), end; !problem && entry != end;
         entry.increment(problem))
      if (!entry->is_directory(problem)) sum += hash_of_file(entry->path());
  }
  return sum;
}

std::string hexadecimal(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

}  // namespace chord
