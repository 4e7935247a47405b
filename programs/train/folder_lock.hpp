// A run has its folder for itself: two at once would write over one another's files.
#pragma once

#include <string>

namespace train {

class FolderLock {
 public:
  /// Throws if a run is at work there. Nothing is left in the folder, and a killed process holds no lock.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace train
