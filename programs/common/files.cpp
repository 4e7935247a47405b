#include "files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

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

/// So that a rename in it lasts. Not every file system can.
void sync_folder(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

std::string read_file(const std::string& path) {
  if (fs::is_directory(path)) throw std::runtime_error(path + ": is a directory; a file is expected");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_with_errno(path, "open");
  std::ostringstream content;
  content << file.rdbuf();
  if (file.bad()) fail_with_errno(path, "read");
  return content.str();
}

NewFile::NewFile(const std::string& path)
    : path_(path),
      temporary_(path + "." + std::to_string(getpid()) + ".tmp"),
      file_(open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail("write");
}

NewFile::~NewFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void NewFile::fail(const char* doing) const { fail_with_errno(path_, doing); }

void NewFile::write(const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t count = ::write(file_, next, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("write");
    next += count;
    bytes -= std::size_t(count);
  }
}

void NewFile::commit() {
  if (fsync(file_) != 0 || close(std::exchange(file_, -1)) != 0) fail("write");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("replace");
  temporary_.clear();
  sync_folder(folder_of(path_));
}

void write_file(const std::string& path, const std::string& content) {
  NewFile file(path);
  file.write(content.data(), content.size());
  file.commit();
}

void expect_writable(const std::string& path) {
  if (fs::is_directory(path)) throw std::runtime_error(path + ": is a directory; a file is expected");
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder)) throw std::runtime_error(path + ": there is no folder " + folder.string());
  // Files are replaced by others made beside them, so the folder's permissions count.
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail_with_errno(path, "write into its folder");
}

}  // namespace program
