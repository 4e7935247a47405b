#include "data/files/text_lines.hpp"

#include <algorithm>
#include <cstring>

namespace chord {
namespace {

constexpr std::size_t longest_line = std::size_t(16) << 20;

/// Where each line is over.
std::vector<std::size_t> line_ends(const OpenFile& file) {
  constexpr std::size_t piece = std::size_t(1) << 20;
  std::vector<std::size_t> ends;
  std::string buffer;
  for (std::size_t first = 0; first < file.size(); first += piece) {
    buffer.resize(std::min(piece, file.size() - first));
    file.read(first, buffer.size(), buffer.data());
    for (std::size_t at = buffer.find('\n'); at != std::string::npos; at = buffer.find('\n', at + 1))
      ends.push_back(first + at + 1);
  }
  if (file.size() > 0 && (ends.empty() || ends.back() != file.size())) ends.push_back(file.size());
  return ends;
}

}  // namespace

TextLines::TextLines(const std::string& path) : file_(path), ends_(line_ends(file_)) {
  while (!ends_.empty() && read(count() - 1).empty()) ends_.pop_back();
}

std::string TextLines::read(std::int64_t index) const {
  const std::size_t size = ends_[std::size_t(index)] - begin(index);
  if (size > longest_line)
    fail(Status::invalid_file, file_.path(), ": line ", index + 1, ": has ", size, " bytes; expected at most ",
         longest_line);
  std::string line(size, '\0');
  file_.read(begin(index), size, line.data());
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  return line;
}

}  // namespace chord
