#include "common/file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <optional>
#include <utility>

#include "common/memory.hpp"

namespace chord {
namespace {

/// `doing`: "open", "read", …
[[noreturn]] void fail_with_errno(const std::string& path, const char* doing) {
  const std::error_code problem(errno, std::generic_category());
  fail(status_of(problem), path, ": cannot ", doing, ": ", problem.message());
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  /// Some file systems tell only now that there was no space.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

void expect_regular(const std::string& path, const struct stat& status) {
  if (!S_ISREG(status.st_mode))
    fail(Status::io_failure, path, ": is ", kind_of(status.st_mode), "; a regular file is expected");
}

bool write_whole(int file, std::string_view data) {
  while (!data.empty()) {
    const ssize_t count = ::write(file, data.data(), data.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    data.remove_prefix(count);
  }
  return true;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

/// A new file beside the one to be written, gone again unless it took that one's place.
class Temporary {
 public:
  explicit Temporary(const std::string& path) : target_(path), descriptor_(create()) {}
  ~Temporary() {
    if (!renamed_) unlink(path_.c_str());
  }

  int get() const { return descriptor_.get(); }
  bool close() { return descriptor_.close(); }
  bool rename() { return renamed_ = ::rename(path_.c_str(), target_.c_str()) == 0; }

 private:
  /// Not mkstemp, which would make a file that others cannot read: the user's umask decides.
  int create() {
    static std::atomic<unsigned> count{0};
    while (true) {
      path_ = text(folder_of(target_), ".chord-", getpid(), '-', ++count);
      const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file >= 0) return file;
      // A process of the same number may have left one behind.
      if (errno != EEXIST) fail_with_errno(target_, "write a file beside it");
    }
  }

  std::string target_, path_;
  Descriptor descriptor_;
  bool renamed_ = false;
};

}  // namespace

Status status_of(const std::error_code& problem) {
  return problem == std::errc::not_enough_memory ? Status::out_of_memory : Status::io_failure;
}

void write_file(const std::string& path, std::string_view content) {
  Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0) fail_with_errno(path, "open");
  if (!write_whole(file.get(), content) || !file.close()) fail_with_errno(path, "write");
}

struct OpenFile::State {
  ~State() {
    if (mapped) munmap(mapped, size);
  }
  std::string path;
  Descriptor descriptor;
  std::size_t size = 0;
  void* mapped = nullptr;
};

// Opening a FIFO would otherwise wait for a writer.
OpenFile::OpenFile(const std::string& path)
    : state_(new State{path, Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))}) {
  if (state_->descriptor.get() < 0) fail_with_errno(path, "open");
  struct stat status;
  if (fstat(state_->descriptor.get(), &status) != 0) fail_with_errno(path, "examine");
  expect_regular(path, status);
  state_->size = static_cast<std::size_t>(status.st_size);
}

OpenFile::~OpenFile() = default;

const std::string& OpenFile::path() const { return state_->path; }

std::size_t OpenFile::size() const { return state_->size; }

void OpenFile::read(std::size_t offset, std::size_t size, char* target) const {
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = pread(state_->descriptor.get(), target + done, size - done, off_t(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_errno(path(), "read");
    if (count == 0)
      fail(Status::io_failure, path(), ": ended after ", offset + done, " of ", state_->size,
           " bytes: it changed while it was read");
    done += std::size_t(count);
  }
}

const char* OpenFile::map() {
  if (!state_->mapped) {
    void* const place = mmap(nullptr, state_->size, PROT_READ, MAP_SHARED, state_->descriptor.get(), 0);
    if (place == MAP_FAILED) fail_with_errno(path(), "map");
    state_->mapped = place;
  }
  return static_cast<const char*>(state_->mapped);
}

std::string read_file(const std::string& path) {
  const OpenFile file(path);
  in_file(path, [&] { expect_memory(file.size()); });
  std::string content(file.size(), '\0');
  file.read(0, content.size(), content.data());
  return content;
}

struct NewFile::State {
  explicit State(const std::string& target)
      : path(target), folder(open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder.get() < 0) fail_with_errno(path, "open its folder");
    file.emplace(path);
  }
  std::string path;
  Descriptor folder;
  std::optional<Temporary> file;
};

NewFile::NewFile(const std::string& path) {
  struct stat old;
  const bool exists = stat(path.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail_with_errno(path, "examine");
  // A rename would replace /dev/null, too.
  if (exists) expect_regular(path, old);
  state_ = std::make_unique<State>(path);
  if (exists && fchmod(state_->file->get(), old.st_mode & 07777) != 0) fail_with_errno(path, "keep its permissions");
}

NewFile::~NewFile() = default;

void NewFile::write(std::string_view data) {
  if (!write_whole(state_->file->get(), data)) fail_with_errno(state_->path, "write");
}

void NewFile::commit() {
  const std::string& path = state_->path;
  Temporary& file = *state_->file;
  if (fsync(file.get()) != 0 || !file.close()) fail_with_errno(path, "write");
  if (!file.rename()) fail_with_errno(path, "replace");
  if (fsync(state_->folder.get()) != 0) fail_with_errno(path, "write its folder");
}

void write_atomically(const std::string& path, const std::vector<std::string_view>& parts) {
  NewFile file(path);
  for (const std::string_view part : parts) file.write(part);
  file.commit();
}

}  // namespace chord
