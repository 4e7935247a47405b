#include "io/npy.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "common/memory.hpp"
#include "common/size.hpp"
#include "io/excerpt.hpp"

namespace chord {
namespace {

/// What the header's dictionary says.
struct NpyHeader {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

/// Reads those of Python's literals that NumPy writes: a dictionary of strings to a string, a boolean and a tuple.
class NpyHeaderParser {
 public:
  explicit NpyHeaderParser(std::string_view text) : rest_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    expect('{');
    while (!take('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr")
        set(header.descr, key, type());
      else if (key == "fortran_order")
        set(header.fortran_order, key, boolean());
      else if (key == "shape")
        set(header.shape, key, tuple());
      else
        fail_here("the key ", excerpt(key), "; expected descr, fortran_order and shape");
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty()) fail_here(excerpt(rest_), " after the dictionary");
    if (!header.descr || !header.fortran_order || !header.shape)
      fail_here("a key is missing; expected descr, fortran_order and shape");
    return header;
  }

 private:
  template <class... Parts>
  [[noreturn]] static void fail_here(const Parts&... parts) {
    fail(Status::invalid_file, "the npy header is wrong: ", parts...);
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size())); }

  bool take(char wanted) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) fail_here("found ", excerpt(rest_), "; expected '", wanted, "'");
  }

  std::string string() {
    skip_blanks();
    const char quote = rest_.empty() ? ' ' : rest_.front();
    const std::size_t end = rest_.find(quote, 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos)
      fail_here("found ", excerpt(rest_), "; expected a string");
    const std::string result(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return result;
  }

  std::string type() {
    skip_blanks();
    if (!rest_.empty() && rest_.front() == '[') fail_here("a structured type; expected one of numbers");
    return string();
  }

  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {"False", "True"})
      if (rest_.substr(0, word.size()) == word) {
        rest_.remove_prefix(word.size());
        return word == "True";
      }
    fail_here("found ", excerpt(rest_), "; expected True or False");
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> extents;
    expect('(');
    while (!take(')')) {
      extents.push_back(extent());
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return extents;
  }

  std::int64_t extent() {
    skip_blanks();
    std::int64_t result = 0;
    const auto [stop, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), result);
    if (problem != std::errc() || result < 0)
      fail_here("found ", excerpt(rest_), "; expected an extent, 0 to 2^63 - 1");
    rest_.remove_prefix(std::size_t(stop - rest_.data()));
    return result;
  }

  template <class T>
  static void set(std::optional<T>& member, const std::string& key, T value) {
    if (member) fail_here("the key ", excerpt(key), " is there twice");
    member = std::move(value);
  }

  std::string_view rest_;
};

constexpr std::pair<std::string_view, NumberType> types[] = {
    {"b1", NumberType::boolean}, {"i1", NumberType::int8},    {"i2", NumberType::int16},   {"i4", NumberType::int32},
    {"i8", NumberType::int64},   {"u1", NumberType::uint8},   {"u2", NumberType::uint16},  {"u4", NumberType::uint32},
    {"u8", NumberType::uint64},  {"f2", NumberType::float16}, {"f4", NumberType::float32}, {"f8", NumberType::float64}};

struct Type {
  NumberType number;
  ByteOrder order;
};

Type parse_type(const std::string& descr) {
  const char order = descr.empty() ? ' ' : descr.front();
  for (const auto& [name, number] : types) {
    const bool known_order = order == '<' || order == '>' || (order == '|' && size_of(number) == 1);
    if (known_order && descr.compare(1, std::string::npos, name) == 0)
      return {number, order == '>' ? ByteOrder::big : ByteOrder::little};
  }
  const char kind = descr.size() > 1 ? descr[1] : ' ';
  const char* what = kind == 'O' ? " (objects)" : kind == 'c' ? " (complex numbers)" : "";
  fail(Status::invalid_file, "the type is ", excerpt(descr), what, "; expected b1, i1 to i8, u1 to u8 or f2 to f8");
}

std::string_view name_of(NumberType type) {
  for (const auto& [name, number] : types)
    if (number == type) return name;
  fail(Status::internal, "npy has no such type");
}

/// The header's text; `content` is left with what follows.
std::string_view take_header(std::string_view& content) {
  constexpr std::size_t version_end = 8;
  if (!content.starts_with(npy_magic.substr(0, content.size())))
    fail(Status::invalid_file, "is no npy file: it begins with ", excerpt(content));
  if (content.size() < version_end) fail(Status::invalid_file, "the npy file ends within its first 8 bytes");
  const int version = static_cast<unsigned char>(content[npy_magic.size()]);
  if (version < 1 || version > 3) fail(Status::invalid_file, "npy version ", version, "; expected 1, 2 or 3");
  const std::size_t start = version_end + (version == 1 ? 2 : 4);
  if (content.size() < start) fail(Status::invalid_file, "the npy file ends before the length of its header");
  const char* field = content.data() + version_end;
  const std::size_t length =
      version == 1 ? load<std::uint16_t>(field, ByteOrder::little) : load<std::uint32_t>(field, ByteOrder::little);
  if (length > content.size() - start)
    fail(Status::invalid_file, "the npy header has ", length, " bytes, but only ", content.size() - start, " follow");
  const std::string_view header = content.substr(start, length);
  content.remove_prefix(start + length);
  return header;
}

std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  // An empty array may have any extents beside the 0.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count = checked_multiply(count, extent);
  return count;
}

/// Calls visit(place) with the place in memory of every element of a Fortran-ordered array, row by row.
template <class Visit>
void visit_rows(const std::vector<std::int64_t>& shape, std::size_t dimension, std::int64_t stride, std::int64_t place,
                const Visit& visit) {
  if (dimension == shape.size()) return visit(place);
  for (std::int64_t i = 0; i < shape[dimension]; ++i)
    visit_rows(shape, dimension + 1, stride * shape[dimension], place + i * stride, visit);
}

/// A shape as Python writes it: (), (3,), (3, 4).
std::string tuple_text(const std::vector<std::int64_t>& shape) {
  std::string result = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) result += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return result + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace

NpyArray parse_npy(std::string_view content) {
  const NpyHeader header = NpyHeaderParser(take_header(content)).parse();
  const Type type = parse_type(*header.descr);
  const std::vector<std::int64_t>& shape = *header.shape;
  const std::int64_t bytes = checked_multiply(count_of(shape), std::int64_t(size_of(type.number)));
  if (bytes != std::int64_t(content.size()))
    fail(Status::invalid_file, content.size(), " bytes of data; expected ", bytes, " for shape ",
         excerpt(tuple_text(shape)));
  return {type.number, type.order, *header.fortran_order, shape, content};
}

DenseMatrix parse_npy_matrix(std::string_view content) {
  const NpyArray array = parse_npy(content);
  if (array.shape.size() != 2)
    fail(Status::invalid_shape, "an array of ", array.shape.size(),
         array.shape.size() == 1 ? " dimension" : " dimensions", "; a matrix is expected");
  const MatrixShape shape = checked_shape(array.shape[0], array.shape[1]);
  const std::int64_t count = shape.rows * shape.columns;
  expect_memory(std::size_t(checked_multiply(count, sizeof(double))));
  std::vector<double> values(static_cast<std::size_t>(count));
  to_float64(array.type, array.order, array.data.data(), count, values.data());
  return DenseMatrix(shape, values, array.fortran_order);
}

std::string_view row_by_row(const NpyArray& array, std::string& rearranged) {
  if (array.data.empty() || (array.order == ByteOrder::little && !array.fortran_order)) return array.data;
  expect_memory(array.data.size());
  const auto size = std::int64_t(size_of(array.type));
  rearranged.reserve(array.data.size());
  const auto append = [&](std::int64_t place) {
    const std::string_view number = array.data.substr(std::size_t(place * size), std::size_t(size));
    if (array.order == ByteOrder::little)
      rearranged.append(number);
    else
      rearranged.append(number.rbegin(), number.rend());
  };
  if (array.fortran_order)
    visit_rows(array.shape, 0, 1, 0, append);
  else
    for (std::int64_t place = 0; place * size < std::int64_t(array.data.size()); ++place) append(place);
  return rearranged;
}

std::string npy_header(NumberType type, const std::vector<std::int64_t>& shape) {
  std::string dictionary =
      text("{'descr': '<", name_of(type), "', 'fortran_order': False, 'shape': ", tuple_text(shape), ", }");
  // Blanks, so that the numbers begin at a multiple of 64 bytes, and the end of a line.
  constexpr std::size_t alignment = 64, before = npy_magic.size() + 4;  // two bytes of version, two of length
  dictionary.resize((before + dictionary.size() + alignment) / alignment * alignment - before - 1, ' ');
  dictionary += '\n';
  const std::size_t length = dictionary.size();
  return text(npy_magic, '\1', '\0', char(length & 255), char(length >> 8), dictionary);
}

NpyWriter::NpyWriter(const std::string& path, NumberType type, const std::vector<std::int64_t>& shape)
    : file_(path), bytes_left_(checked_multiply(count_of(shape), std::int64_t(size_of(type)))) {
  file_.write(npy_header(type, shape));
}

void NpyWriter::write(std::string_view numbers) {
  if (numbers.size() > std::size_t(bytes_left_))
    fail(Status::invalid_argument, numbers.size(), " bytes are more than the ", bytes_left_,
         " that the array still has");
  file_.write(numbers);
  bytes_left_ -= std::int64_t(numbers.size());
}

void NpyWriter::commit() {
  if (bytes_left_ > 0) fail(Status::invalid_argument, bytes_left_, " bytes of the array are not written yet");
  file_.commit();
}

}  // namespace chord
