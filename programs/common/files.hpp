// Files of the programs' own: lists, reports, records.
#pragma once

#include <cstddef>
#include <string>

namespace program {

std::string read_file(const std::string& path);

/// A file made piece by piece beside the one it is to replace: as a whole and for good with commit(), or not at all.
class NewFile {
 public:
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* doing) const;

  std::string path_, temporary_;
  int file_;
};

/// Replaces the file as a whole, or leaves it as it was and throws.
void write_file(const std::string& path, const std::string& content);

/// Throws if a file could not be written there, before hours of work depend on it.
void expect_writable(const std::string& path);

}  // namespace program
