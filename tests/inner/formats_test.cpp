// Good files of every format, and what they say.
#include <doctest/doctest.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <limits>

#include "../difference.hpp"
#include "files.hpp"
#include "io/read_matrix.hpp"

using chord::DenseMatrix;
using chord::Matrix;
using chord::parse_matrix;
using chord::SparseMatrix;
using files::bytes;
using Values = std::vector<double>;
using testing::difference;

namespace {

Values dense(const Matrix& matrix) {
  Values values(std::size_t(matrix.n() * matrix.n()), -1.0);
  matrix.to_dense(values.data());
  return values;
}

Values read(const std::string& content) { return dense(parse_matrix(content)); }

/// One type of npy, in both byte orders.
template <class T>
void check_npy(const std::string& type, const std::vector<T>& stored, const Values& expected) {
  CAPTURE(type);
  const std::string data = bytes(stored);
  CHECK(read(files::npy("<" + type, "(2, 2)", data)) == expected);
  CHECK(read(files::npy(">" + type, "(2, 2)", files::reversed(data, sizeof(T)))) == expected);
  if (sizeof(T) == 1) CHECK(read(files::npy("|" + type, "(2, 2)", data)) == expected);
}

}  // namespace

TEST_CASE("MatrixMarket: coordinate files become sparse, entries at one place are summed") {
  const Matrix matrix = parse_matrix(
      "%%MatrixMarket matrix coordinate real general\n% a comment\n\n 3 3 5 \n"
      "3 1 -2.5e0\n1 2 +4\n\n% another\n2 2 1\n1 1 .5\n2 2 0.25\n");
  REQUIRE(matrix.sparse());
  CHECK(matrix.sparse()->row_starts == std::vector<std::int64_t>{0, 2, 3, 4});
  CHECK(matrix.sparse()->columns == std::vector<std::int32_t>{0, 1, 1, 0});
  CHECK(matrix.sparse()->values == Values{0.5, 4, 1.25, -2.5});
  CHECK(matrix.stored() == 4);
  CHECK(matrix.format() == "matrix-market");
  CHECK(dense(matrix) == Values{0.5, 4, 0, 0, 1.25, 0, -2.5, 0, 0});
}

TEST_CASE("MatrixMarket: fields, symmetries, line ends, upper case") {
  CHECK(read("%%MatrixMarket MATRIX Coordinate Pattern General\r\n2 2 2\r\n1 2\r\n2 2\r\n") == Values{0, 1, 0, 1});
  CHECK(read("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 7\n2 1 -3") == Values{7, -3, -3, 0});
  CHECK(read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n") == Values{0, -3, 3, 0});
  CHECK(read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n") == Values{0, 1, 1, 0});
  CHECK(read("%%MatrixMarket matrix coordinate real general\n2 2 0\n") == Values{0, 0, 0, 0});
}

TEST_CASE("MatrixMarket: arrays go down the columns") {
  CHECK(read("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n") == Values{1, 3, 2, 4});
  CHECK(read("%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n") ==
        Values{1, 2, 3, 2, 4, 5, 3, 5, 6});
  CHECK(read("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n") ==
        Values{0, -1, -2, 1, 0, -3, 2, 3, 0});
  CHECK(parse_matrix("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").norm() == 0);
  CHECK(parse_matrix("%%MatrixMarket matrix array real general\n1 1\n5\n").dense() != nullptr);
}

TEST_CASE("MatrixMarket: a locale's decimal comma does not matter") {
  const char* found = std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed
  CHECK(read("%%MatrixMarket matrix array real general\n1 1\n1.5\n") == Values{1.5});
  if (found) std::setlocale(LC_ALL, "C");
}

TEST_CASE("MatrixMarket: a million entries") {
  const int n = 1000;
  std::string content = "%%MatrixMarket matrix coordinate real general\n1000 1000 1000000\n";
  for (int j = n; j >= 1; --j)
    for (int i = 1; i <= n; ++i) content += std::to_string(i) + " " + std::to_string(j) + " 0.12345678901234567\n";
  const Matrix matrix = parse_matrix(std::move(content));
  CHECK(matrix.nonzeros() == 1000000);
  CHECK(matrix.symmetric());
  CHECK(difference(matrix.norm(), 123.45678901234567) < 1e-10);
}

TEST_CASE("npy: every type, in both byte orders") {
  check_npy<std::uint8_t>("b1", {0, 1, 2, 0}, {0, 1, 1, 0});
  check_npy<std::int8_t>("i1", {-128, 1, 127, 0}, {-128, 1, 127, 0});
  check_npy<std::int16_t>("i2", {-32768, 1, 258, 0}, {-32768, 1, 258, 0});
  check_npy<std::int32_t>("i4", {-70000, 1, 70000, 0}, {-70000, 1, 70000, 0});
  check_npy<std::int64_t>("i8", {-1, (std::int64_t(1) << 53) + 1, 2, 0}, {-1, 9007199254740992, 2, 0});
  check_npy<std::uint8_t>("u1", {255, 1, 2, 0}, {255, 1, 2, 0});
  check_npy<std::uint16_t>("u2", {65535, 1, 2, 0}, {65535, 1, 2, 0});
  check_npy<std::uint32_t>("u4", {4294967295, 1, 2, 0}, {4294967295, 1, 2, 0});
  check_npy<std::uint64_t>("u8", {18446744073709551615u, 1, 2, 0}, {18446744073709551616.0, 1, 2, 0});
  check_npy<std::uint16_t>("f2", {0x3c00, 0xc500, 0x0001, 0x7bff}, {1, -5, std::ldexp(1, -24), 65504});
  check_npy<float>("f4", {0.5f, -2, 3e38f, 0}, {0.5, -2, 3e38f, 0});
  check_npy<double>("f8", {0.1, -2, 1e300, 0}, {0.1, -2, 1e300, 0});
}

TEST_CASE("npy: versions, orders, keys in any order") {
  const std::string data = bytes<double>({1, 2, 3, 4});
  for (const int version : {1, 2, 3}) CHECK(read(files::npy("<f8", "(2, 2)", data, version)) == Values{1, 2, 3, 4});
  CHECK(read(files::npy("<f8", "(2, 2)", data, 1, "True")) == Values{1, 3, 2, 4});
  CHECK(read(files::npy_with_header("{\"shape\":(2,2,),\"fortran_order\":False,\"descr\":\"<f8\"}", data)) ==
        Values{1, 2, 3, 4});
  CHECK(parse_matrix(files::npy("<f8", "(2, 2)", data)).format() == "npy");
}

TEST_CASE("PNG: grey of every depth") {
  CHECK(read(files::png({2, 2, 8}, std::string("\0\x01\x02\0\xff\x00", 6))) == Values{1, 2, 255, 0});
  CHECK(read(files::png({2, 2, 1}, std::string("\0\x40\0\x80", 4))) == Values{0, 255, 255, 0});
  CHECK(read(files::png({2, 2, 2}, std::string("\0\x60\0\xb0", 4))) == Values{85, 170, 170, 255});
  CHECK(read(files::png({2, 2, 4}, std::string("\0\x0f\0\x12", 4))) == Values{0, 255, 17, 34});
  CHECK(read(files::png({1, 1, 16}, std::string("\0\x01\x02", 3))) == Values{258 / 257.0});
  CHECK(read(files::png({1, 1, 16}, std::string("\0\xff\xff", 3))) == Values{255});
  CHECK(parse_matrix(files::png({1, 1}, std::string("\0\x05", 2))).format() == "png");
  const Matrix wide = parse_matrix(files::png({3, 2, 8}, std::string("\0\x01\x02\x03\0\x04\x05\x06", 8)));
  CHECK(wide.shape() == chord::MatrixShape{2, 3});
  CHECK(dense(wide) == Values{1, 2, 3, 4, 5, 6, 0, 0, 0});
}

TEST_CASE("PNG: colour, palettes and transparency become grey") {
  const std::string colours("\0\xff\x00\x00\x00\xff\x00\0\x00\x00\xff\x0a\x14\x1e", 14);
  CHECK(read(files::png({2, 2, 8, 2}, colours)) == Values{76, 150, 29, 18});
  const std::string palette = files::png_chunk("PLTE", std::string("\xff\x00\x00\x0a\x14\x1e", 6));
  CHECK(read(files::png({2, 2, 8, 3}, std::string("\0\x00\x01\0\x01\x00", 6), palette)) == Values{76, 18, 18, 76});
  const std::string transparent = palette + files::png_chunk("tRNS", std::string("\x00\x80", 2));
  CHECK(read(files::png({2, 2, 1, 3}, std::string("\0\x40\0\x80", 4), transparent)) == Values{76, 18, 18, 76});
  CHECK(read(files::png({1, 1, 8, 4}, std::string("\0\x07\x00", 3))) == Values{7});
  CHECK(read(files::png({1, 1, 8, 6}, std::string("\0\x0a\x14\x1e\x00", 5))) == Values{18});
  const Values wide = read(files::png({1, 1, 16, 2}, std::string("\0\xff\xff\xff\xff\xff\xff", 7)));
  CHECK(wide == Values{255});
}

TEST_CASE("PNG: interlaced") {
  // Adam7 of 2 × 2 pixels: the first alone, the one to its right, the second row.
  CHECK(read(files::png({2, 2, 8, 0, 1}, std::string("\0\x01\0\x02\0\x03\x04", 7))) == Values{1, 2, 3, 4});
}

TEST_CASE("PNG: a picture that compresses well") {
  const Matrix matrix = parse_matrix(files::png({2000, 2000}, std::string(2000 * 2001, '\0')));
  CHECK(matrix.n() == 2000);
  CHECK(matrix.nonzeros() == 0);
}

TEST_CASE("PNG: other chunks do not matter") {
  const std::string text =
      files::png_chunk("tEXt", "odd") + files::png_chunk("gAMA", "bad") + files::png_chunk("abCd", "x");
  CHECK(read(files::png({1, 1}, std::string("\0\x05", 2), text)) == Values{5});
}

TEST_CASE("safetensors: the one tensor of two dimensions") {
  const Matrix matrix = parse_matrix(
      files::safetensors(R"({"__metadata__":{"by":"test"},"w":{"dtype":"F32","shape":[2,2],"data_offsets":[4,20]},)"
                         R"("scale":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}  )",
                         bytes<float>({9, 1, 2, 3, 4})));
  CHECK(dense(matrix) == Values{1, 2, 3, 4});
  CHECK(matrix.format() == "safetensors");
  CHECK(matrix.dense());
}

TEST_CASE("a matrix knows its norm, also where squares overflow or vanish") {
  const auto norm = [](double a, double b) { return Matrix(DenseMatrix(2, {a, 0, 0, b})).norm(); };
  CHECK(norm(3, -4) == 5);
  CHECK(difference(norm(3e300, 4e300), 5e300) < 1e-15);
  CHECK(difference(norm(3e-320, 4e-320), 5e-320) < 1e-3);
  CHECK(norm(0, 0) == 0);
  CHECK(norm(std::numeric_limits<double>::denorm_min(), 0) == std::numeric_limits<double>::denorm_min());
}

TEST_CASE("a matrix knows whether it is symmetric") {
  const std::int64_t n = 150;  // more than two tiles
  DenseMatrix large(n);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) large.values[std::size_t(i * n + j)] = double(i * j);
  CHECK(Matrix(large).symmetric());
  DenseMatrix other = large;
  other.values[149 * n + 3] += 1;
  CHECK_FALSE(Matrix(other).symmetric());
  other.transpose();
  CHECK(other.values[3 * n + 149] == 3 * 149 + 1);
  CHECK(Matrix(SparseMatrix(3, {{0, 1, 2}, {1, 0, 2}, {2, 2, 5}})).symmetric());
  CHECK(Matrix(SparseMatrix(3, {{0, 1, 0}})).symmetric());  // a stored zero
  CHECK_FALSE(Matrix(SparseMatrix(3, {{0, 1, 2}})).symmetric());
  CHECK(Matrix(SparseMatrix(3, {{0, 1, 0}, {2, 2, 1}})).nonzeros() == 1);
}
