#include "files.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace program {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_with_errno(const std::string& path, const char* doing) {
  const int problem = errno;
  throw std::runtime_error(path + ": cannot " + doing + ": " + std::generic_category().message(problem));
}

fs::path folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

}  // namespace

std::string read_file(const std::string& path) {
  if (fs::is_directory(path)) throw std::runtime_error(path + ": is a directory; a file is expected");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_with_errno(path, "open");
  constexpr std::size_t piece = 1 << 16, most = std::size_t(64) << 20;
  std::string content;
  while (file) {
    const std::size_t before = content.size();
    content.resize(before + piece);
    file.read(&content[before], std::streamsize(piece));
    content.resize(before + std::size_t(file.gcount()));
    if (content.size() > most) throw std::runtime_error(path + ": has more than 64 MiB; that is too large to be read");
  }
  if (file.bad()) fail_with_errno(path, "read");
  return content;
}

void expect_writable(const std::string& path, const std::vector<std::string>& read) {
  if (fs::is_directory(path)) throw std::runtime_error(path + ": is a directory; a file is expected");
  std::error_code missing;
  for (const std::string& each : read)
    if (fs::equivalent(path, each, missing)) throw std::runtime_error(path + ": is an input and would be overwritten");
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder)) throw std::runtime_error(path + ": there is no folder " + folder.string());
  // Files are replaced by others made beside them, so the folder's permissions count.
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail_with_errno(path, "write into its folder");
}

}  // namespace program
