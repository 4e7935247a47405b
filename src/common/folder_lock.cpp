#include "common/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "common/file.hpp"

namespace chord {

FolderLock::FolderLock(const std::string& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    const std::error_code problem(errno, std::generic_category());
    fail(status_of(problem), folder, ": cannot open: ", problem.message());
  }
  held_ = flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  if (!held_ && errno == EWOULDBLOCK) {
    close(descriptor_);
    fail(Status::invalid_argument, folder, ": another process is at work there; wait for it, or choose another folder");
  }
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace chord
