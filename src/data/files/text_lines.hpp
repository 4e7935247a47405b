// A text file of any size, line by line in any order, of which only the places of the lines are in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/file.hpp"

namespace chord {

class TextLines {
 public:
  explicit TextLines(const std::string& path);

  /// Empty ones at the end do not count.
  std::int64_t count() const { return std::int64_t(ends_.size()); }

  /// Runs a body with a line, without its end; what it finds wrong is told with file and line. From any thread.
  template <class Body>
  void in_line(std::int64_t index, Body body) const {
    const std::string line = read(index);
    in_file(text(file_.path(), ": line ", index + 1), [&] { body(line); });
  }

 private:
  std::string read(std::int64_t index) const;
  std::size_t begin(std::int64_t index) const { return index == 0 ? 0 : ends_[std::size_t(index - 1)]; }

  OpenFile file_;
  std::vector<std::size_t> ends_;  ///< where each line's end is over
};

}  // namespace chord
