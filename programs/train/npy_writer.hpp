// An npy file of any size, written piece by piece.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/files.hpp"

namespace train {

class NpyWriter {
 public:
  /// `type`: CHORD_FLOAT32 or CHORD_INT32.
  NpyWriter(const std::string& path, int32_t type, const std::vector<int64_t>& shape);

  void write(const std::vector<char>& data) { file_.write(data.data(), data.size()); }
  /// When all values are written. Without it, there will be no file.
  void commit() { file_.commit(); }

 private:
  program::NewFile file_;
};

}  // namespace train
