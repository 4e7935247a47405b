// Whole files: read, and written so that a crash or a full disk never leaves half of one.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "common/error.hpp"

namespace chord {

/// The content of a regular file. Throws Status::io_failure with the system's reason.
std::string read_file(const std::string& path);

/// A regular file that is read at any place, by any number of threads. Throws Status::io_failure.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path);
  ~OpenFile();

  const std::string& path() const;
  std::size_t size() const;
  /// The bytes from `offset` on, `size` of them; a file that became shorter is an error.
  void read(std::size_t offset, std::size_t size, char* target) const;
  /// All of it, for reading only; it goes with the file.
  const char* map();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A file made piece by piece beside the one it is to replace: as a whole and for good with commit(), or not at all.
/// Throws Status::io_failure.
class NewFile {
 public:
  explicit NewFile(const std::string& path);
  ~NewFile();

  void write(std::string_view data);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Replaces the file by these parts, one after the other, or leaves it as it was and throws Status::io_failure.
void write_atomically(const std::string& path, const std::vector<std::string_view>& parts);

/// Writes a file at once, without waiting for the disk: for those in a folder that takes its place as a whole.
/// Throws Status::io_failure.
void write_file(const std::string& path, std::string_view content);

/// io_failure, unless it was memory that the system had not.
Status status_of(const std::error_code& problem);

/// Runs a body that looks at a file's content. What it finds wrong becomes Status::invalid_file, with the path before
/// the message; only running out of memory and what this version or device cannot do are not the file's fault.
template <class Body>
auto in_file(const std::string& path, Body body) {
  try {
    return body();
  } catch (const Error& error) {
    const bool blameless = error.status() == Status::out_of_memory || error.status() == Status::unsupported;
    fail(blameless ? error.status() : Status::invalid_file, path, ": ", error.what());
  } catch (const std::bad_alloc&) {
    fail(Status::out_of_memory, path, ": out of memory");
  }
}

}  // namespace chord
