#include "io/matrix_market.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "common/memory.hpp"
#include "common/size.hpp"
#include "io/excerpt.hpp"

namespace chord {
namespace {

/// The lines of a text, and the words of the one it is at.
class Lines {
 public:
  explicit Lines(std::string_view content) : rest_(content) {}

  /// Goes to the next line that is there; false at the end.
  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }

  /// Goes to the next line that is neither blank nor a comment.
  bool next_with_data() {
    while (next()) {
      skip_blanks();
      if (!line_.empty() && line_.front() != '%') return true;
    }
    return false;
  }

  std::string_view word(const char* what) {
    skip_blanks();
    if (line_.empty()) fail_here("the line ends where ", what, " is expected");
    const std::size_t length = std::min(line_.find_first_of(blanks), line_.size());
    const std::string_view result = line_.substr(0, length);
    line_.remove_prefix(length);
    return result;
  }

  template <class Number>
  Number number(const char* what) {
    const std::string_view found = word(what);
    // from_chars knows no plus sign.
    const bool plus = found.size() > 1 && found[0] == '+' && found[1] != '-';
    const char* end = found.data() + found.size();
    Number result;
    const auto [stop, problem] = std::from_chars(found.data() + plus, end, result);
    if (problem == std::errc::result_out_of_range) fail_here(what, " is ", excerpt(found), ", which is out of range");
    if (problem != std::errc() || stop != end) fail_here(what, " is ", excerpt(found), "; expected a number");
    return result;
  }

  void expect_end() {
    skip_blanks();
    if (!line_.empty()) fail_here(excerpt(line_), " is too much; expected the end of the line");
  }

  std::int64_t bytes_left() const { return std::int64_t(rest_.size()); }

  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(Status::invalid_file, "line ", number_, ": ", parts...);
  }

 private:
  static constexpr std::string_view blanks = " \t\r";
  void skip_blanks() { line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size())); }

  std::string_view rest_, line_;
  std::int64_t number_ = 0;
};

enum class Format { array, coordinate };
enum class Field { real, integer, pattern };
enum class Symmetry { general, symmetric, skew };

struct Header {
  Format format;
  Field field;
  Symmetry symmetry;
};

/// The word as one of a list, in upper or lower case; its number there.
template <class Choice>
Choice choice(Lines& lines, const char* what, std::initializer_list<const char*> names) {
  std::string found(lines.word(what));
  for (char& each : found)
    if (each >= 'A' && each <= 'Z') each += 'a' - 'A';
  std::string expected;
  int index = 0;
  for (const char* name : names) {
    if (found == name) return static_cast<Choice>(index);
    expected += text(index++ > 0 ? ", " : "", name);
  }
  lines.fail_here(what, " is ", excerpt(found), "; expected one of: ", expected);
}

Header parse_header(Lines& lines) {
  lines.next();
  if (lines.word("the banner") != matrix_market_banner)
    lines.fail_here("expected ", matrix_market_banner, " as the first word");
  choice<int>(lines, "the object", {"matrix"});
  Header header;
  header.format = choice<Format>(lines, "the format", {"array", "coordinate"});
  header.field = choice<Field>(lines, "the field", {"real", "integer", "pattern"});
  header.symmetry = choice<Symmetry>(lines, "the symmetry", {"general", "symmetric", "skew-symmetric"});
  lines.expect_end();
  if (header.field == Field::pattern && (header.format == Format::array || header.symmetry == Symmetry::skew))
    lines.fail_here("a pattern is expected to be coordinate, and general or symmetric");
  return header;
}

/// To be called before anything is allocated: a short file cannot hold many entries.
void expect_room(const Lines& lines, std::int64_t count, std::int64_t least_bytes_each) {
  const std::int64_t bytes = lines.bytes_left() + 1;  // the last line may end without a newline
  if (count < 0 || count > bytes / least_bytes_each)
    lines.fail_here(count, " entries are declared, for which the ", lines.bytes_left(),
                    " bytes that follow are too few");
}

/// The same for rows, which take memory though there be nothing in them.
void expect_order(const Lines& lines, std::int64_t n, std::int64_t count) {
  constexpr std::int64_t always = 1 << 20, per_entry = 64;
  if (n > always && (n - always) / per_entry > count)
    lines.fail_here("the matrix has ", n, " rows, but ", count, count == 1 ? " entry" : " entries",
                    "; expected at most ", always, " rows and ", per_entry, " more for each entry");
}

void expect_entry(Lines& lines, std::int64_t done, std::int64_t count) {
  if (!lines.next_with_data())
    fail(Status::invalid_file, "the file ends after ", done, " of the ", count, " entries that it declares");
}

void expect_no_more(Lines& lines, std::int64_t count) {
  if (lines.next_with_data()) lines.fail_here("expected the end of the file after the ", count, " entries it declares");
}

double value_at(Lines& lines, Field field, std::int64_t row, std::int64_t column) {
  const double value = field == Field::integer ? static_cast<double>(lines.number<std::int64_t>("the value"))
                                               : lines.number<double>("the value");
  if (!std::isfinite(value))
    lines.fail_here("the value at row ", row, ", column ", column, " is ", value, "; expected finite numbers");
  return value;
}

SparseMatrix parse_coordinate(Lines& lines, const Header& header, MatrixShape shape, std::int64_t count) {
  const bool pattern = header.field == Field::pattern, general = header.symmetry == Symmetry::general;
  expect_room(lines, count, pattern ? 4 : 6);  // "1 1\n" or "1 1 1\n"
  expect_order(lines, shape.n(), count);
  const std::int64_t most = checked_multiply(count, general ? 1 : 2);
  expect_memory(std::size_t(most) * sizeof(SparseMatrix::Entry));
  std::vector<SparseMatrix::Entry> entries;
  entries.reserve(std::size_t(most));
  for (std::int64_t k = 0; k < count; ++k) {
    expect_entry(lines, k, count);
    const auto row = lines.number<std::int64_t>("the row"), column = lines.number<std::int64_t>("the column");
    if (row < 1 || row > shape.rows || column < 1 || column > shape.columns)
      lines.fail_here("row ", row, ", column ", column, "; expected 1 to ", shape.rows,
                      shape.square() ? "" : text(", and 1 to ", shape.columns));
    if (!general && column > row)
      lines.fail_here("row ", row, ", column ", column, " is above the diagonal; expected the lower triangle only");
    if (header.symmetry == Symmetry::skew && column == row)
      lines.fail_here("row ", row, ", column ", column,
                      " is on the diagonal, which is zero in a skew-symmetric matrix");
    const double value = pattern ? 1 : value_at(lines, header.field, row, column);
    lines.expect_end();
    const auto i = static_cast<std::int32_t>(row - 1), j = static_cast<std::int32_t>(column - 1);
    entries.push_back({i, j, value});
    if (!general && i != j) entries.push_back({j, i, header.symmetry == Symmetry::skew ? -value : value});
  }
  expect_no_more(lines, count);
  return SparseMatrix(shape, std::move(entries));
}

DenseMatrix parse_array(Lines& lines, const Header& header, MatrixShape shape) {
  const bool general = header.symmetry == Symmetry::general, skew = header.symmetry == Symmetry::skew;
  const std::int64_t all = checked_multiply(shape.rows, shape.columns), diagonal = skew ? -shape.rows : shape.rows;
  const std::int64_t count = general ? all : checked_add(all, diagonal) / 2;
  expect_room(lines, count, 2);  // "1\n"
  DenseMatrix matrix(shape);
  const std::int64_t n = matrix.n;
  std::int64_t done = 0;
  // Column by column; only what is on and below the diagonal where the rest follows from it.
  for (std::int64_t j = 0; j < shape.columns; ++j)
    for (std::int64_t i = general ? 0 : skew ? j + 1 : j; i < shape.rows; ++i) {
      expect_entry(lines, done++, count);
      const double value = value_at(lines, header.field, i + 1, j + 1);
      lines.expect_end();
      if (!general) matrix.values[j * n + i] = skew ? -value : value;
      matrix.values[i * n + j] = value;
    }
  expect_no_more(lines, count);
  return matrix;
}

}  // namespace

Matrix::Values parse_matrix_market(std::string_view content) {
  Lines lines(content);
  const Header header = parse_header(lines);
  if (!lines.next_with_data()) fail(Status::invalid_file, "the file ends before the line with the size of the matrix");
  const auto rows = lines.number<std::int64_t>("the number of rows");
  const auto columns = lines.number<std::int64_t>("the number of columns");
  const bool coordinate = header.format == Format::coordinate;
  const auto count = coordinate ? lines.number<std::int64_t>("the number of entries") : 0;
  lines.expect_end();
  const MatrixShape shape = checked_shape(rows, columns);
  if (header.symmetry != Symmetry::general && !shape.square())
    fail(Status::invalid_shape, rows, " × ", columns, "; a square matrix is expected where it is symmetric");
  if (coordinate) return parse_coordinate(lines, header, shape, count);
  return parse_array(lines, header, shape);
}

}  // namespace chord
