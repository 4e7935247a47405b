// A file that lasts as long as the object: what can be saved and loaded can go from rank to rank as bytes.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace parallel {

class TemporaryFile {
 public:
  TemporaryFile() {
    std::string folder = (std::filesystem::temp_directory_path() / "chord-XXXXXX").string();
    if (!mkdtemp(folder.data())) throw std::runtime_error(folder + ": cannot be created");
    folder_ = folder;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return (folder_ / "file").string(); }

  std::vector<char> read() const {
    std::ifstream in(path(), std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    if (in.bad() || !in.is_open()) throw std::runtime_error(path() + ": cannot be read");
    return bytes;
  }
  void write(const std::vector<char>& bytes) const {
    std::ofstream out(path(), std::ios::binary);
    out.write(bytes.data(), std::streamsize(bytes.size()));
    if (!out.flush()) throw std::runtime_error(path() + ": cannot be written");
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace parallel
