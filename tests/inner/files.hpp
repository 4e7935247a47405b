// Files of more formats, for the readers inside.
#pragma once

#include <zlib.h>

#include "../files.hpp"

namespace files {

inline std::string big(std::uint32_t value) {
  const std::string reversed = little(value);
  return std::string(reversed.rbegin(), reversed.rend());
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

}  // namespace files
