// Files made byte by byte, and a folder to keep them in.
#pragma once

#include <stdlib.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
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
inline std::string big(std::uint32_t value) {
  const std::string reversed = little(value);
  return std::string(reversed.rbegin(), reversed.rend());
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

inline std::string safetensors(const std::string& header, const std::string& data) {
  return little<std::uint64_t>(header.size()) + header + data;
}

inline std::string png_chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const uLong crc = crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()));
  return big(std::uint32_t(data.size())) + body + big(std::uint32_t(crc));
}
inline std::string compressed(const std::string& data) {
  uLongf size = compressBound(data.size());
  std::string result(size, '\0');
  compress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(data.data()), data.size());
  result.resize(size);
  return result;
}
struct PngHeader {
  std::uint32_t width, height;
  int depth = 8, colour = 0, interlaced = 0;  // colour: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha
};
inline std::string png_header(const PngHeader& header) {
  const std::string rest{char(header.depth), char(header.colour), 0, 0, char(header.interlaced)};
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", big(header.width) + big(header.height) + rest);
}
/// `rows`: the samples, each row after a filter byte of 0. `before`: chunks such as a palette.
inline std::string png(const PngHeader& header, const std::string& rows, const std::string& before = "") {
  return png_header(header) + before + png_chunk("IDAT", compressed(rows)) + png_chunk("IEND", "");
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

inline void save(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}
inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace files
