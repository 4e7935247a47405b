// NumPy's array files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/file.hpp"
#include "io/numbers.hpp"
#include "matrix/matrix.hpp"

namespace chord {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// An array as its file has it.
struct NpyArray {
  NumberType type;
  ByteOrder order;
  bool fortran_order;  ///< column by column: the first index runs fastest
  std::vector<std::int64_t> shape;
  std::string_view data;  ///< exactly what the shape needs
};

/// Versions 1 to 3; booleans, integers and reals of up to 64 bits, in both byte orders and both memory orders.
NpyArray parse_npy(std::string_view content);

/// The same, if it is a matrix.
DenseMatrix parse_npy_matrix(std::string_view content);

/// The array's numbers as this library has them, little-endian and row by row: the file's own where they are so, else
/// in `rearranged`.
std::string_view row_by_row(const NpyArray& array, std::string& rearranged);

/// What a file has before the numbers: little-endian, row by row.
std::string npy_header(NumberType type, const std::vector<std::int64_t>& shape);

/// A file of any size, made piece by piece.
class NpyWriter {
 public:
  NpyWriter(const std::string& path, NumberType type, const std::vector<std::int64_t>& shape);

  /// The next numbers. Throws where they are more than the shape has.
  void write(std::string_view numbers);
  /// Puts the file in its place; throws unless all its numbers were written.
  void commit();

 private:
  NewFile file_;
  std::int64_t bytes_left_;
};

}  // namespace chord
