#include "io/read_matrix.hpp"

#include "common/file.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
#include "io/png.hpp"
#include "io/safetensors.hpp"

namespace chord {
namespace {

bool begins_with(std::string_view content, std::string_view magic) { return content.substr(0, magic.size()) == magic; }

/// They have no magic bytes, but a JSON object behind eight bytes of length.
bool may_be_safetensors(std::string_view content) { return content.size() > 8 && content[8] == '{'; }

DenseMatrix only_matrix(const Safetensors& file) {
  const StoredTensor* found = nullptr;
  int count = 0;
  for (const StoredTensor& each : file.tensors())
    if (each.shape.size() == 2) {
      found = &each;
      ++count;
    }
  if (count != 1)
    fail(Status::invalid_file, count,
         " tensors of two dimensions; expected one. There are: ", describe(file.tensors()));
  return DenseMatrix(checked_shape(found->shape[0], found->shape[1]), to_float64(*found));
}

}  // namespace

Matrix parse_matrix(std::string content) {
  if (begins_with(content, matrix_market_banner)) return Matrix(parse_matrix_market(content), "matrix-market");
  if (begins_with(content, npy_magic)) return Matrix(parse_npy_matrix(content), "npy");
  if (begins_with(content, png_signature)) return Matrix(parse_png(content), "png");
  if (may_be_safetensors(content)) return Matrix(only_matrix(Safetensors(std::move(content))), "safetensors");
  fail(Status::invalid_file, content.empty() ? "is empty" : "is of an unknown format",
       "; expected MatrixMarket, NumPy (npy), PNG or safetensors");
}

Matrix read_matrix(const std::string& path) {
  std::string content = read_file(path);
  return in_file(path, [&] { return parse_matrix(std::move(content)); });
}

}  // namespace chord
