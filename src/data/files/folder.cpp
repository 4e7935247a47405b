#include "data/files/folder.hpp"

#include <algorithm>

#include "common/error.hpp"

namespace chord {
namespace {

namespace fs = std::filesystem;

/// What is wanted of a folder's entries, sorted.
template <class Wanted>
std::vector<fs::path> entries(const fs::path& folder, Wanted wanted) {
  std::error_code problem;
  std::vector<fs::path> found;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem))
    if (wanted(*entry)) found.push_back(entry->path());
  if (problem) fail(Status::io_failure, folder.native(), ": cannot be listed: ", problem.message());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

fs::path data_folder(const std::string& given, const std::string& holds, const std::string& unpacked) {
  if (given.empty()) fail(Status::invalid_argument, "data is missing; expected the folder with ", holds);
  std::error_code ignored;
  if (!fs::is_directory(given, ignored))
    fail(Status::io_failure, given, ": is not a folder; expected the one with ", holds);
  const fs::path folder = fs::canonical(given, ignored);
  return !unpacked.empty() && fs::is_directory(folder / unpacked, ignored) ? folder / unpacked : folder;
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& ending) {
  std::error_code ignored;
  auto found = entries(folder, [&](const fs::directory_entry& each) {
    return each.path().native().ends_with(ending) && each.is_regular_file(ignored);
  });
  if (found.empty()) fail(Status::invalid_file, folder.native(), ": has no files *", ending);
  return found;
}

std::vector<fs::path> folders_in(const fs::path& folder, const std::string& beginning) {
  std::error_code ignored;
  auto found = entries(folder, [&](const fs::directory_entry& each) {
    return each.path().filename().native().starts_with(beginning) && each.is_directory(ignored);
  });
  if (found.empty()) fail(Status::invalid_file, folder.native(), ": has no folders ", beginning, "*");
  return found;
}

}  // namespace chord
