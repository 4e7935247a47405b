// Calls of the system that fail: files, and threads that do not start.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "faults.hpp"
#include "sanitized.hpp"

#pragma GCC visibility push(default)  // for the C++ library, too

using faults::due;
using faults::Kind;

namespace {

/// The call, or −1 and this reason.
template <class Call>
auto attempt(int reason, const Call& call) -> decltype(call()) {
  if (!due(Kind::files)) return call();
  errno = reason;
  return -1;
}

int open_file(int folder, const char* path, int flags, mode_t mode) {
  return attempt(EMFILE, [=] { return int(syscall(SYS_openat, folder, path, flags, mode)); });
}

mode_t mode_of(int flags, va_list arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? mode_t(va_arg(arguments, unsigned)) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));

ssize_t write(int file, const void* data, size_t bytes) {
  return attempt(ENOSPC, [=] { return ssize_t(syscall(SYS_write, file, data, bytes)); });
}
ssize_t pread(int file, void* data, size_t bytes, off_t offset) {
  return attempt(EIO, [=] { return ssize_t(syscall(SYS_pread64, file, data, bytes, offset)); });
}
ssize_t pread64(int file, void* data, size_t bytes, off_t offset) __attribute__((alias("pread")));

int fsync(int file) {
  return attempt(EIO, [=] { return int(syscall(SYS_fsync, file)); });
}
/// Closed it is all the same.
int close(int file) {
  const int result = int(syscall(SYS_close, file));
  return attempt(EIO, [=] { return result; });
}
int rename(const char* from, const char* to) noexcept {
  return attempt(EACCES, [=] { return int(syscall(SYS_rename, from, to)); });
}
int mkdir(const char* path, mode_t mode) noexcept {
  return attempt(EACCES, [=] { return int(syscall(SYS_mkdir, path, mode)); });
}
int fchmod(int file, mode_t mode) noexcept {
  return attempt(EPERM, [=] { return int(syscall(SYS_fchmod, file, mode)); });
}

#ifndef CHORD_SANITIZED
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return due(Kind::threads) ? EAGAIN : create(thread, attributes, start, argument);
}
#endif
}
