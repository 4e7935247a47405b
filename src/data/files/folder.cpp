#include "data/files/folder.hpp"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include "common/file.hpp"

namespace chord {
namespace {

namespace fs = std::filesystem;

/// What is wanted of a folder's entries, sorted.
template <class Wanted>
std::vector<fs::path> entries(const fs::path& folder, Wanted wanted) {
  std::error_code problem;
  std::vector<fs::path> found;
  for (fs::path& each : paths_in(folder, problem))
    if (wanted(each)) found.push_back(std::move(each));
  if (problem) fail(status_of(problem), folder.native(), ": cannot be listed: ", problem.message());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

// Not std::filesystem's iterators, which end the process where they get no memory (libstdc++ 12).
std::vector<fs::path> paths_in(const fs::path& folder, std::error_code& problem) {
  std::vector<fs::path> found;
  errno = 0;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(folder.c_str()), closedir);
  while (const dirent* const entry = stream ? readdir(stream.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") found.push_back(folder / name);
    errno = 0;
  }
  problem = std::error_code(errno, std::generic_category());
  return found;
}

fs::path data_folder(const std::string& given, const std::string& holds, const std::string& unpacked) {
  if (given.empty()) fail(Status::invalid_argument, "data is missing; expected the folder with ", holds);
  std::error_code ignored;
  if (!fs::is_directory(given, ignored))
    fail(Status::io_failure, given, ": is not a folder; expected the one with ", holds);
  std::error_code problem;
  const fs::path folder = fs::canonical(given, problem);
  if (problem) fail(status_of(problem), given, ": cannot be found: ", problem.message());
  return !unpacked.empty() && fs::is_directory(folder / unpacked, ignored) ? folder / unpacked : folder;
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& ending) {
  std::error_code ignored;
  auto found = entries(folder, [&](const fs::path& each) {
    return each.native().ends_with(ending) && fs::is_regular_file(each, ignored);
  });
  if (found.empty()) fail(Status::invalid_file, folder.native(), ": has no files *", ending);
  return found;
}

std::vector<fs::path> folders_in(const fs::path& folder, const std::string& beginning) {
  std::error_code ignored;
  auto found = entries(folder, [&](const fs::path& each) {
    return each.filename().native().starts_with(beginning) && fs::is_directory(each, ignored);
  });
  if (found.empty()) fail(Status::invalid_file, folder.native(), ": has no folders ", beginning, "*");
  return found;
}

}  // namespace chord
