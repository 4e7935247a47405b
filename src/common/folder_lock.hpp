// A folder that one process at a time works in.
#pragma once

#include <string>

namespace chord {

/// Leaves nothing in the folder, and ends with the process, however that ends.
class FolderLock {
 public:
  /// Throws Status::invalid_argument where another has the folder, Status::io_failure where it cannot be opened.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Some network file systems have no locks for folders: then nobody knows who else is there.
  bool held() const { return held_; }

 private:
  int descriptor_;
  bool held_ = false;
};

}  // namespace chord
