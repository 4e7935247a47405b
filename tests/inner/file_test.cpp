#include "common/file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "files.hpp"

using chord::read_file;
using chord::Status;
using chord::write_atomically;
using files::content_of;
using files::Folder;

namespace {

template <class Body>
void expect_io_failure(const std::string& path, const std::string& part, Body body) {
  try {
    body();
    FAIL("no error for " << path);
  } catch (const chord::Error& error) {
    const std::string message = error.what();
    CHECK(error.status() == Status::io_failure);
    CHECK_MESSAGE(message.rfind(path + ": ", 0) == 0, message);
    CHECK_MESSAGE(message.find(part) != std::string::npos, message);
  }
}

/// Files of this process may have so many bytes, while this lives: what a full disk is like.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit old_;
  void (*handler_)(int);
};

/// Root may write everywhere; tests of permissions run as nobody.
class NotRoot {
 public:
  NotRoot() {
    if (was_root_) REQUIRE(seteuid(65534) == 0);
  }
  ~NotRoot() {
    if (was_root_ && seteuid(0) != 0) std::abort();
  }

 private:
  const bool was_root_ = geteuid() == 0;
};

}  // namespace

TEST_CASE("a file is read as it is, also an empty one") {
  const Folder folder;
  const std::string content("a\0b\r\n\xff", 6), path = folder / "file";
  files::save(path, content);
  CHECK(read_file(path) == content);
  files::save(path, "");
  CHECK(read_file(path).empty());
}

TEST_CASE("what cannot be read is told with the system's reason") {
  const Folder folder;
  const std::string missing = folder / "missing", fifo = folder / "fifo", secret = folder / "secret";
  expect_io_failure(missing, "cannot open: No such file or directory", [&] { read_file(missing); });
  expect_io_failure(folder.path(), "is a directory; a regular file is expected", [&] { read_file(folder.path()); });
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  expect_io_failure(fifo, "is a FIFO; a regular file is expected", [&] { read_file(fifo); });
  expect_io_failure("/dev/zero", "is a device; a regular file is expected", [&] { read_file("/dev/zero"); });
  files::save(secret, "secret");
  REQUIRE(chmod(secret.c_str(), 0) == 0);
  REQUIRE(chmod(folder.path().c_str(), 0755) == 0);
  const NotRoot nobody;
  expect_io_failure(secret, "cannot open: Permission denied", [&] { read_file(secret); });
}

TEST_CASE("a file too large for the memory is refused before it is read") {
  const Folder folder;
  const std::string path = folder / "sparse";
  files::save(path, "");
  REQUIRE(truncate(path.c_str(), off_t(1) << 42) == 0);
  try {
    read_file(path);
    FAIL("no error");
  } catch (const chord::Error& error) {
    CHECK(error.status() == Status::out_of_memory);
    CHECK(std::string(error.what()).rfind(path + ": out of memory: 4398046511104 bytes", 0) == 0);
  }
}

TEST_CASE("a file is replaced as a whole, keeps its permissions, and leaves nothing beside it") {
  const Folder folder;
  const std::string path = folder / "file";
  write_atomically(path, {"first"});
  CHECK(content_of(path) == "first");
  REQUIRE(chmod(path.c_str(), 0640) == 0);
  write_atomically(path, {"sec", "", "ond"});
  CHECK(content_of(path) == "second");
  struct stat status;
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  CHECK(folder.entries() == 1);
}

TEST_CASE("a new file has the permissions of the user's umask") {
  const Folder folder;
  const mode_t old = umask(027);
  write_atomically(folder / "file", {"text"});
  umask(old);
  struct stat status;
  REQUIRE(stat((folder / "file").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE("a path without a folder is one in the current folder") {
  const Folder folder;
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_atomically("file", {"text"});
  std::filesystem::current_path(here);
  CHECK(content_of(folder / "file") == "text");
}

TEST_CASE("without space the old file stays") {
  const Folder folder;
  const std::string path = folder / "file";
  write_atomically(path, {"old"});
  {
    const FileSizeLimit limit(1000);
    expect_io_failure(path, "cannot write: File too large",
                      [&] { write_atomically(path, {"new", std::string(5000, 'x')}); });
  }
  CHECK(content_of(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("without permission the old file stays") {
  const Folder folder;
  const std::string path = folder / "file";
  write_atomically(path, {"old"});
  REQUIRE(chmod(folder.path().c_str(), 0555) == 0);
  {
    const NotRoot nobody;
    expect_io_failure(path, "Permission denied", [&] { write_atomically(path, {"new"}); });
  }
  CHECK(content_of(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("what is no regular file is not replaced") {
  const Folder folder;
  const std::string fifo = folder / "fifo", nowhere = folder / "missing/file";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  expect_io_failure(fifo, "is a FIFO", [&] { write_atomically(fifo, {"new"}); });
  expect_io_failure(folder.path(), "is a directory", [&] { write_atomically(folder.path(), {"new"}); });
  expect_io_failure("/dev/full", "is a device", [&] { write_atomically("/dev/full", {"new"}); });
  expect_io_failure(nowhere, "No such file or directory", [&] { write_atomically(nowhere, {"new"}); });
  CHECK(folder.entries() == 1);
}
