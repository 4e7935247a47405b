#include "folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

namespace train {

FolderLock::FolderLock(const std::string& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int problem = errno;
  if (descriptor_ >= 0 && problem == EWOULDBLOCK) {
    close(descriptor_);
    throw std::runtime_error(folder + ": another chord-train is at work there; wait for it, or choose another --out");
  }
  // Some network file systems have no locks for folders.
  std::fprintf(stderr, "warning: %s: cannot be locked (%s); see that no other run uses it\n", folder.c_str(),
               std::generic_category().message(problem).c_str());
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace train
