// A folder for a test's files, and files made byte by byte.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace files {

/// Numbers as they are in this machine's memory, which is little-endian.
template <class T>
std::string bytes(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}
template <class T>
std::string little(T value) {
  return bytes(std::vector<T>{value});
}

/// Numbers of this size in the other byte order.
inline std::string reversed(std::string content, std::size_t size) {
  for (auto at = content.begin(); at != content.end(); at += std::ptrdiff_t(size))
    std::reverse(at, at + std::ptrdiff_t(size));
  return content;
}

inline std::string npy_with_header(const std::string& header, const std::string& data, int version = 1) {
  const std::string length = version == 1 ? little<std::uint16_t>(header.size()) : little<std::uint32_t>(header.size());
  return "\x93NUMPY" + std::string(1, char(version)) + std::string(1, '\0') + length + header + data;
}
inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data, int version = 1,
                       const std::string& fortran = "False") {
  return npy_with_header("{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }   \n",
                         data, version);
}

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "chord-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no folder for the test");
    path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  int entries() const {
    using Iterator = std::filesystem::directory_iterator;
    return int(std::distance(Iterator(path_), Iterator()));
  }

 private:
  std::string path_;
};

/// The user's cache for as long as it lives: an empty folder, or whatever path is given.
class UserCache {
 public:
  explicit UserCache(const std::string& path = "") {
    if (const char* before = getenv("XDG_CACHE_HOME")) before_ = before;
    setenv("XDG_CACHE_HOME", (path.empty() ? folder_.path() : path).c_str(), 1);
  }
  ~UserCache() {
    if (before_.empty())
      unsetenv("XDG_CACHE_HOME");
    else
      setenv("XDG_CACHE_HOME", before_.c_str(), 1);
  }

  /// The decoded datasets in it.
  std::vector<std::filesystem::path> packs() const {
    std::vector<std::filesystem::path> found;
    const std::filesystem::path datasets = folder_ / "sparsechord/datasets";
    if (!std::filesystem::exists(datasets)) return found;
    for (const auto& each : std::filesystem::directory_iterator(datasets)) found.push_back(each.path());
    return found;
  }

 private:
  Folder folder_;
  std::string before_;
};

inline void save(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}
inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace files
