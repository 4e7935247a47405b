// Files that are not what they should be: each gives an error that says why, and none does harm.
#include <doctest/doctest.h>

#include <optional>

#include "common/file.hpp"
#include "files.hpp"
#include "io/read_matrix.hpp"

using chord::Matrix;
using chord::Status;
using files::bytes;

namespace {

struct BadFile {
  std::string name, content;
  std::string message;  ///< a part of it
};

std::string market(const std::string& rest) { return "%%MatrixMarket matrix " + rest; }
const std::string real = "coordinate real general\n", array = "array real general\n";
const std::string two_by_two = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }";
const std::string four = bytes<double>({1, 2, 3, 4});
const double infinity = std::numeric_limits<double>::infinity(),
             not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string tensor(const std::string& name, const std::string& dtype, const std::string& shape,
                   const std::string& range) {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + range + "}";
}
std::string tensors(const std::string& list, const std::string& data) {
  return files::safetensors("{" + list + "}", data);
}

std::string png_with_wrong(std::size_t byte) {
  std::string content = files::png({1, 1}, std::string("\0\x05", 2));
  content[byte] = char(content[byte] ^ 1);
  return content;
}
const std::string pixels_2x2("\0\x01\x02\0\x03\x04", 6);

const std::vector<BadFile> unknown = {
    {"empty", "", "is empty; expected MatrixMarket, NumPy (npy), PNG or safetensors"},
    {"text", "1 2\n3 4\n", "is of an unknown format; expected MatrixMarket"},
    {"one byte", "%", "is of an unknown format"},
    {"zeros", std::string(100, '\0'), "is of an unknown format"},
};

const std::vector<BadFile> matrix_market = {
    {"nothing but the banner", "%%MatrixMarket", "line 1: the line ends where the object is expected"},
    {"a longer banner", "%%MatrixMarkets matrix array real general\n", "expected %%MatrixMarket as the first word"},
    {"a vector", "%%MatrixMarket vector array real general\n", "the object is 'vector'; expected one of: matrix"},
    {"format", market("dense real general\n"), "the format is 'dense'; expected one of: array, coordinate"},
    {"complex", market("array complex general\n"), "the field is 'complex'; expected one of: real, integer, pattern"},
    {"hermitian", market("array real hermitian\n"), "the symmetry is 'hermitian'; expected one of: general, symmetric"},
    {"sixth word", market("array real general twice\n"), "'twice' is too much"},
    {"pattern as an array", market("array pattern general\n1 1\n"), "line 1: a pattern is expected to be coordinate"},
    {"skew pattern", market("coordinate pattern skew-symmetric\n1 1 0\n"), "general or symmetric"},
    {"many rows with nothing in them", market(real + "200000000 200000000 1\n1 1 1\n"),
     "the matrix has 200000000 rows, but 1 entry; expected at most 1048576 rows"},
    {"no size", market(real), "the file ends before the line with the size"},
    {"half a size", market(real + "3 3\n"), "line 2: the line ends where the number of entries is expected"},
    {"size of a word", market(real + "three 3 1\n"), "the number of rows is 'three'; expected a number"},
    {"size with a fraction", market(array + "2.5 2.5\n"), "the number of rows is '2.5'"},
    {"two plus signs", market(array + "++2 2\n"), "the number of rows is '++2'"},
    {"not square", market("coordinate real symmetric\n3 4 1\n1 1 1\n"),
     "3 × 4; a square matrix is expected where it is symmetric"},
    {"0 × 0", market(real + "0 0 0\n"), "0 × 0; a matrix is expected"},
    {"negative", market(real + "-2 -2 1\n1 1 1\n"), "-2 × -2; a matrix is expected"},
    {"size beyond 32 bits", market(real + "3000000000 3000000000 1\n1 1 1\n"), "is 3000000000; at most 2147483647"},
    {"size beyond 64 bits", market(real + "99999999999999999999 1 1\n"), "which is out of range"},
    {"array beyond the file", market(array + "100000 100000\n1\n"),
     "10000000000 entries are declared, for which the 2 bytes"},
    {"largest array", market(array + "2147483647 2147483647\n1\n"), "4611686014132420609 entries are declared"},
    {"count beyond the file", market(real + "3 3 1000000000\n1 1 1\n"),
     "for which the 6 bytes that follow are too few"},
    {"largest count", market(real + "3 3 9223372036854775807\n1 1 1\n"), "are too few"},
    {"negative count", market(real + "3 3 -1\n1 1 1\n"), "line 2: -1 entries are declared"},
    {"too few entries", market(real + "3 3 2\n1 1 1.0000000\n"), "the file ends after 1 of the 2 entries"},
    {"too many entries", market(real + "3 3 1\n1 1 1\n2 2 2\n"),
     "line 4: expected the end of the file after the 1 entries"},
    {"garbage at the end", market(array + "1 1\n5\nxyz\n"), "line 4: expected the end of the file"},
    {"row 0", market(real + "3 3 1\n0 1 1\n"), "line 3: row 0, column 1; expected 1 to 3"},
    {"column beyond n", market(real + "3 3 1\n\n1 4 1\n"), "line 4: row 1, column 4; expected 1 to 3"},
    {"negative row", market(real + "3 3 1\n-1 1 1\n"), "row -1, column 1; expected 1 to 3"},
    {"above the diagonal", market("coordinate real symmetric\n3 3 1\n1 2 1\n"),
     "row 1, column 2 is above the diagonal"},
    {"skew diagonal", market("coordinate real skew-symmetric\n3 3 1\n2 2 1\n"), "row 2, column 2 is on the diagonal"},
    {"no value", market(real + "3 3 1\n1 1    \n"), "line 3: the line ends where the value is expected"},
    {"word as a value", market(real + "3 3 1\n1 1 abc\n"), "the value is 'abc'; expected a number"},
    {"value with a tail", market(real + "3 3 1\n1 1 1.5x\n"), "the value is '1.5x'"},
    {"decimal comma", market(real + "3 3 1\n1 1 1,5\n"), "the value is '1,5'"},
    {"fourth number", market(real + "3 3 1\n1 1 1 0\n"), "line 3: '0' is too much"},
    {"two values on a line", market(array + "2 2\n1 2\n3 4\n"), "line 3: '2' is too much"},
    {"value beyond float64", market(real + "3 3 1\n1 1 1e999\n"), "the value is '1e999', which is out of range"},
    {"fraction as an integer", market("coordinate integer general\n3 3 1\n1 1 1.5\n"), "the value is '1.5'"},
    {"nan", market(real + "3 3 2\n1 1 1\n2 3 nan\n"), "line 4: the value at row 2, column 3 is nan"},
    {"infinity", market(array + "2 2\n1\n2\n-inf\n4\n"), "line 5: the value at row 1, column 2 is -inf"},
    {"sum beyond float64", market(real + "3 3 2\n1 2 1e308\n1 2 1e308\n"), "row 0, column 1 (counted from 0) is inf"},
    {"a long word", market(array + "1 1\n" + std::string(1000, 'x')), "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"},
    {"bytes as a value", market(array + "1 1\n\x01\xff\n"), "the value is '?"},
};

const std::vector<BadFile> npy = {
    {"magic only", "\x93NUMPY", "ends within its first 8 bytes"},
    {"version 0", files::npy_with_header(two_by_two, four, 0), "npy version 0; expected 1, 2 or 3"},
    {"version 4", files::npy_with_header(two_by_two, four, 4), "npy version 4"},
    {"no header length", std::string("\x93NUMPY\x02\0\x10", 9), "ends before the length of its header"},
    {"gigantic header", std::string("\x93NUMPY\x02\0\xff\xff\xff\xff{", 13),
     "header has 4294967295 bytes, but only 1 follow"},
    {"empty header", files::npy_with_header("", four), "found ''; expected '{'"},
    {"no dictionary", files::npy_with_header("[1, 2]", four), "expected '{'"},
    {"unfinished dictionary", files::npy_with_header("{'descr': '<f8', ", four), "expected a string"},
    {"unfinished string", files::npy_with_header("{'descr", four), "expected a string"},
    {"no colon", files::npy_with_header("{'descr' '<f8'}", four), "expected ':'"},
    {"no comma", files::npy_with_header("{'descr': '<f8' 'shape': (2, 2)}", four), "expected '}'"},
    {"key twice", files::npy_with_header("{'descr': '<f8', 'descr': '<f4'}", four), "the key 'descr' is there twice"},
    {"unknown key", files::npy_with_header("{'order': 'C'}", four), "the key 'order'; expected descr"},
    {"missing key", files::npy_with_header("{'descr': '<f8', 'shape': (2, 2)}", four), "a key is missing"},
    {"after the dictionary", files::npy_with_header(two_by_two + "x", four), "'x' after the dictionary"},
    {"order as a number", files::npy("<f8", "(2, 2)", four, 1, "1"), "expected True or False"},
    {"shape as a list", files::npy("<f8", "[2, 2]", four), "found '[2, 2], }   ?'; expected '('"},
    {"negative extent", files::npy("<f8", "(-2, -2)", four), "expected an extent"},
    {"extent beyond 64 bits", files::npy("<f8", "(99999999999999999999, 2)", four),
     "expected an extent, 0 to 2^63 - 1"},
    {"expression", files::npy("<f8", "(1+1, 2)", four), "expected ')'"},
    {"overflowing shape", files::npy("<f8", "(4294967296, 4294967296)", four),
     "size overflows: 4294967296 × 4294967296"},
    {"gigantic shape", files::npy("<f8", "(1000000, 1000000)", four), "32 bytes of data; expected 8000000000000"},
    {"one dimension", files::npy("<f8", "(4,)", four), "an array of 1 dimension; a matrix is expected"},
    {"no dimension", files::npy("<f8", "()", bytes<double>({1})), "an array of 0 dimensions"},
    {"0 × 0", files::npy("<f8", "(0, 0)", ""), "0 × 0; a matrix is expected"},
    {"data missing", files::npy("<f8", "(2, 2)", four.substr(1)), "31 bytes of data; expected 32 for shape '(2, 2)'"},
    {"data left over", files::npy("<f8", "(2, 2)", four + "x"), "33 bytes of data; expected 32"},
    {"objects", files::npy("|O", "(2, 2)", four), "the type is '|O' (objects); expected"},
    {"complex", files::npy("<c16", "(2, 2)", four + four), "the type is '<c16' (complex numbers)"},
    {"text", files::npy("<U8", "(1, 1)", four), "the type is '<U8'"},
    {"long double", files::npy("<f16", "(1, 1)", four.substr(16)), "the type is '<f16'"},
    {"no byte order", files::npy("|f8", "(2, 2)", four), "the type is '|f8'"},
    {"empty type", files::npy("", "(2, 2)", four), "the type is ''"},
    {"structured type", files::npy_with_header("{'descr': [('a', '<f8')]}", four), "a structured type"},
    {"nan", files::npy("<f8", "(2, 2)", bytes<double>({1, 2, not_a_number, 4})),
     "row 1, column 0 (counted from 0) is nan"},
    {"infinity by columns", files::npy("<f8", "(2, 2)", bytes<double>({1, infinity, 3, 4}), 1, "True"),
     "row 1, column 0 (counted from 0) is inf"},
    {"nan of float16", files::npy("<f2", "(1, 1)", bytes<std::uint16_t>({0x7e00})), "row 0, column 0"},
};

const std::vector<BadFile> png = {
    {"a small file of many pixels", files::png({12000, 12000, 1}, std::string(12000 * 1501, '\0')),
     "12000 × 12000 pixels are declared, more than "},
    {"signature only", "\x89PNG\r\n\x1a\n", "the PNG is damaged: it ends too early"},
    {"no size", files::png({0, 0}, ""), "the PNG is damaged: "},
    {"gigantic", files::png({100000, 100000}, pixels_2x2), "100000 × 100000 pixels are declared, more than"},
    {"largest", files::png({0x7fffffff, 0x7fffffff, 16, 6}, pixels_2x2), "size overflows: 2147483647 × 17179869176"},
    {"large", files::png({0x7fffffff, 0x7fffffff, 1}, pixels_2x2), "2147483647 × 2147483647 pixels are declared"},
    {"size beyond 31 bits", files::png({0xffffffff, 0xffffffff}, pixels_2x2), "the PNG is damaged: "},
    {"damaged header", png_with_wrong(20), "CRC error"},
    {"damaged data", png_with_wrong(44), "the PNG is damaged: IDAT"},
    {"damaged checksum", png_with_wrong(files::png({1, 1}, std::string("\0\x05", 2)).size() - 13), "CRC error"},
    {"damaged end", png_with_wrong(files::png({1, 1}, std::string("\0\x05", 2)).size() - 1), "CRC error"},
    {"damaged comment",
     files::png({1, 1}, std::string("\0\x05", 2), files::png_chunk("tEXt", "comment").replace(8, 1, "C")), "CRC error"},
    {"depth 3", files::png({2, 2, 3}, pixels_2x2), "the PNG is damaged: "},
    {"no palette", files::png({1, 1, 8, 3}, std::string("\0\0", 2)), "the PNG is damaged: "},
    {"too few pixels", files::png({2, 2}, pixels_2x2.substr(0, 4)), "the PNG is damaged: "},
    {"no pixels", files::png_header({2, 2}) + files::png_chunk("IEND", ""), "the PNG is damaged: "},
    {"not compressed", files::png_header({2, 2}) + files::png_chunk("IDAT", "raw") + files::png_chunk("IEND", ""),
     "the PNG is damaged: "},
    {"unknown filter", files::png({1, 1}, "\x07\x05"), "the PNG is damaged: "},
};

const std::vector<BadFile> safetensors = {
    {"gigantic header", files::little<std::uint64_t>(1000) + "{}", "header has 1000 bytes; expected at most 2"},
    {"header of all ones", std::string(8, '\xff') + "{}", "header has 18446744073709551615 bytes"},
    {"header of nothing", files::little<std::uint64_t>(0) + "{}", "the header begins with ''; expected {"},
    {"half an object", files::safetensors("{\"a\"", ""), "the header is not valid JSON"},
    {"two objects", files::safetensors("{}{}", ""), "the header is not valid JSON"},
    {"not UTF-8", files::safetensors("{\"\xff\":1}", ""), "the header is not valid JSON"},
    {"deep", files::safetensors("{\"a\":[" + std::string(100000, '['), ""), "nested more than 3 deep"},
    {"no tensors", files::safetensors("{}", ""), "0 tensors of two dimensions; expected one. There are: none"},
    {"a tensor as a number", tensors("\"a\":1", ""), "tensor 'a': is a JSON number; expected an object"},
    {"tensor twice", tensors(tensor("a", "U8", "[1,1]", "[0,1]") + "," + tensor("a", "U8", "[1,1]", "[1,2]"), "xy"),
     "the header has 'a' twice"},
    {"key twice", tensors(R"("a":{"dtype":"U8","dtype":"I8","shape":[1,1],"data_offsets":[0,1]})", "x"),
     "the header has 'dtype' twice"},
    {"no dtype", tensors(R"("a":{"type":"U8","shape":[1,1],"data_offsets":[0,1]})", "x"),
     "expected dtype as a JSON string"},
    {"one key more", tensors(R"("a":{"dtype":"U8","shape":[1,1],"data_offsets":[0,1],"x":0})", "x"),
     "and nothing else"},
    {"unknown dtype", tensors(tensor("a", "F128", "[1,1]", "[0,1]"), "x"), "tensor 'a': the dtype is 'F128'"},
    {"shape as a number", tensors(tensor("a", "U8", "1", "[0,1]"), "x"), "expected shape as a JSON array"},
    {"negative extent", tensors(tensor("a", "U8", "[-1,-1]", "[0,1]"), "x"), "expected integers from 0"},
    {"extent with a fraction", tensors(tensor("a", "U8", "[1.0,1]", "[0,1]"), "x"), "2^63 - 1 in shape"},
    {"extent beyond 63 bits", tensors(tensor("a", "U8", "[9223372036854775808,1]", "[0,1]"), "x"), "2^63 - 1 in shape"},
    {"overflowing shape", tensors(tensor("a", "U8", "[4294967296,4294967296]", "[0,1]"), "x"),
     "tensor 'a': size overflows"},
    {"overflowing size", tensors(tensor("a", "F64", "[1152921504606846976]", "[0,1]"), "x"),
     "tensor 'a': size overflows"},
    {"one offset", tensors(tensor("a", "U8", "[1,1]", "[0]"), "x"), "1 data_offsets; expected begin and end"},
    {"offsets backwards", tensors(tensor("a", "U8", "[1,1]", "[1,0]"), "x"), "data_offsets are 1 to 0"},
    {"offsets beyond the file", tensors(tensor("a", "U8", "[2,2]", "[0,4]"), "x"), "within the 1 bytes of data"},
    {"size and shape differ", tensors(tensor("a", "F32", "[1,1]", "[0,2]"), "xy"),
     "has 2 bytes; expected 32 bits for 'a' F32"},
    {"half a byte", tensors(tensor("a", "F4", "[1,1]", "[0,0]"), ""), "has 0 bytes; expected 4 bits"},
    {"overlap", tensors(tensor("a", "U8", "[2,1]", "[0,2]") + "," + tensor("b", "U8", "[2,1]", "[1,3]"), "xyz"),
     "tensor 'b' begins at byte 1 of the data; expected 2, without overlaps and holes"},
    {"hole", tensors(tensor("a", "U8", "[1,1]", "[0,1]") + "," + tensor("b", "U8", "[1,1]", "[2,3]"), "xyz"),
     "tensor 'b' begins at byte 2 of the data; expected 1"},
    {"hole at the beginning", tensors(tensor("a", "U8", "[1,1]", "[1,2]"), "xy"),
     "begins at byte 1 of the data; expected 0"},
    {"data left over", tensors(tensor("a", "U8", "[1,1]", "[0,1]"), "xy"), "end at byte 1 of the data; expected 2"},
    {"metadata as a list", tensors(R"("__metadata__":[])", ""), "__metadata__ is a JSON array; expected an object"},
    {"metadata of numbers", tensors(R"("__metadata__":{"a":1})", ""), "__metadata__: 'a' is a JSON number"},
    {"two matrices", tensors(tensor("a", "U8", "[1,1]", "[0,1]") + "," + tensor("b", "I8", "[1,1]", "[1,2]"), "xy"),
     "2 tensors of two dimensions; expected one. There are: 'a' U8 [1, 1], 'b' I8 [1, 1]"},
    {"a vector", tensors(tensor("a", "U8", "[1]", "[0,1]"), "x"), "0 tensors of two dimensions"},
    {"0 × 0", tensors(tensor("a", "U8", "[0,0]", "[0,0]"), ""), "0 × 0; a matrix is expected"},
    {"no numbers", tensors(tensor("a", "C64", "[1,1]", "[0,8]"), "12345678"), "'a' C64 [1, 1]; expected BOOL"},
    {"nan", tensors(tensor("a", "F64", "[1,1]", "[0,8]"), bytes<double>({not_a_number})),
     "row 0, column 0 (counted from 0) is nan"},
};

/// What a file of this content gives: a matrix, or an error of the file.
std::optional<std::vector<double>> result_of(const std::string& content) {
  try {
    const Matrix matrix = chord::in_file("file", [&] { return chord::parse_matrix(content); });
    std::vector<double> values(std::size_t(matrix.n() * matrix.n()));
    matrix.to_dense(values.data());
    return values;
  } catch (const chord::Error& error) {
    CHECK((error.status() == Status::invalid_file || error.status() == Status::out_of_memory));
    return std::nullopt;
  }
}

const std::vector<std::string> good = {
    market("coordinate real general\n% comment\n3 3 3\n1 1 -0.5e-1\n3 2 12.25\n2 3 7\n"),
    market("coordinate pattern symmetric\r\n2 2 2\r\n1 1\r\n2 1\r\n"),
    market("array integer skew-symmetric\n3 3\n1\n-22\n3\n"),
    files::npy("<f8", "(2, 2)", four),
    files::npy(">i2", "(3, 3)", std::string("\0\1\0\2\0\3\0\4\0\5\0\6\0\7\0\10\0\11", 18), 2, "True"),
    files::png({2, 2}, pixels_2x2),
    files::png({2, 2, 8, 3, 1}, std::string("\0\x01\0\x01\0\x00\x01", 7),
               files::png_chunk("PLTE", std::string("\xff\x00\x00\x0a\x14\x1e", 6)) + files::png_chunk("tEXt", "text")),
    files::safetensors(R"({"__metadata__":{"by":"me"},"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},)"
                       R"("b":{"dtype":"I64","shape":[1],"data_offsets":[16,24]}}   )",
                       bytes<float>({1, 2, 3, 4}) + bytes<std::int64_t>({5})),
};

}  // namespace

TEST_CASE("bad files are refused with the reason") {
  const files::Folder folder;
  int count = 0;
  for (const auto* list : {&unknown, &matrix_market, &npy, &png, &safetensors})
    for (const BadFile& each : *list) {
      CAPTURE(each.name);
      const std::string path = folder / "file";
      files::save(path, each.content);
      try {
        chord::read_matrix(path);
        FAIL_CHECK("no error");
      } catch (const chord::Error& error) {
        const std::string message = error.what();
        CHECK(error.status() == Status::invalid_file);
        CHECK_MESSAGE(message.rfind(path + ": ", 0) == 0, message);
        CHECK_MESSAGE(message.find(each.message) != std::string::npos, message);
      }
      ++count;
    }
  MESSAGE(count << " bad files");
}

TEST_CASE("a file that ends early is an error, wherever it ends") {
  for (const std::string& content : good) {
    CAPTURE(content);
    const auto whole = result_of(content);
    REQUIRE(whole);
    for (std::size_t length = 0; length < content.size(); ++length) {
      CAPTURE(length);
      const auto part = result_of(content.substr(0, length));
      // Of a text, the last line may end without a newline.
      const bool only_line_end = content.find_first_not_of("\r\n", length) == std::string::npos;
      CHECK(part.has_value() == (only_line_end && content[0] == '%'));
      if (part) CHECK(*part == *whole);
    }
  }
}

TEST_CASE("a file with a wrong byte gives a matrix or an error, and does no harm") {
  int matrices = 0, errors = 0;
  for (const std::string& content : good)
    for (std::size_t at = 0; at < content.size(); ++at)
      for (const int change : {0x01, 0x02, 0x10, 0x20, 0x80, 0xff}) {
        std::string changed = content;
        changed[at] = char(changed[at] ^ change);
        ++(result_of(changed) ? matrices : errors);
      }
  MESSAGE(matrices << " matrices, " << errors << " errors");
  CHECK(errors > matrices);
}
