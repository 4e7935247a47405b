// Places for files in memory, which take the path of those that loaders want to open themselves.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace fuzz {

/// A file without a name, for as long as it lives.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : file_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (file_ < 0 || write(file_, content.data(), content.size()) != ssize_t(content.size())) std::abort();
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

/// A folder of this process, in memory where there is such a place, or in TMPDIR; its files are written again and
/// again.
class Folder {
 public:
  explicit Folder(const std::string& name) {
    const char* const given = std::getenv("TMPDIR");
    const bool in_memory = access("/dev/shm", W_OK) == 0;
    std::string pattern = std::string(given       ? given
                                      : in_memory ? "/dev/shm"
                                                  : "/tmp") +
                          "/chord-fuzz-" + name + "-XXXXXX";
    if (!mkdtemp(pattern.data())) std::abort();
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  void save(const std::string& name, std::string_view content) const {
    const std::filesystem::path path = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(content.data(), std::streamsize(content.size()));
  }

 private:
  std::string path_;
};

}  // namespace fuzz
