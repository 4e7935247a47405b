#include "npy_writer.hpp"

#include <chord/chord.h>

namespace train {
namespace {

std::string header(int32_t type, const std::vector<int64_t>& shape) {
  std::string extents;
  for (const int64_t extent : shape) extents += std::to_string(extent) + ", ";
  std::string text = std::string("{'descr': '") + (type == CHORD_FLOAT32 ? "<f4" : "<i4") +
                     "', 'fortran_order': False, 'shape': (" + extents + "), }";
  // The values begin at a multiple of 64 bytes; ten of them come before this text.
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  std::string magic("\x93NUMPY\x01\x00", 8);
  return magic + char(text.size() & 0xFF) + char(text.size() >> 8) + text;
}

}  // namespace

NpyWriter::NpyWriter(const std::string& path, int32_t type, const std::vector<int64_t>& shape) : file_(path) {
  const std::string text = header(type, shape);
  file_.write(text.data(), text.size());
}

}  // namespace train
