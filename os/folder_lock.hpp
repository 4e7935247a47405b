// A folder that one process at a time works in. The library and the programs both take some, each with words of its own
// for those who come second, so this has none.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace os {

/// Leaves nothing in the folder, and ends with the process, however that ends.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ < 0 || flock(descriptor_, LOCK_EX | LOCK_NB) != 0) problem_ = {errno, std::generic_category()};
  }
  ~FolderLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  bool held() const { return !problem_; }
  /// By another process.
  bool taken() const { return problem_ == std::errc::operation_would_block; }
  /// Where it is neither, as on some network file systems, nobody knows who else is there.
  const std::error_code& problem() const { return problem_; }

 private:
  int descriptor_;
  std::error_code problem_;
};

}  // namespace os
