#include "list.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "common/csv.hpp"
#include "common/files.hpp"

namespace factorize {
namespace {

using namespace program;

/// The records of a file by the names in its first one.
class Sheet {
 public:
  explicit Sheet(const std::string& path) : path_(path), records_(parse_csv(read_file(path), path)) {
    if (records_.empty()) fail(1, "is empty; expected a header with the columns name and file");
    for (const CsvRecord& record : records_)
      if (record.fields.size() != header().size())
        fail(record.line, "has " + std::to_string(record.fields.size()) + " fields; the header has " +
                              std::to_string(header().size()));
    if (rows() == 0) fail(records_[0].line, "has a header, but no entries");
  }

  std::size_t rows() const { return records_.size() - 1; }
  int line(std::size_t row) const { return records_[row + 1].line; }
  const std::string& cell(std::size_t row, std::size_t column) const { return records_[row + 1].fields[column]; }

  /// The column of one of these names.
  std::optional<std::size_t> find_column(const std::vector<std::string>& names) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < header().size(); ++i) {
      if (std::find(names.begin(), names.end(), header()[i]) == names.end()) continue;
      if (found) fail(records_[0].line, "both '" + header()[*found] + "' and '" + header()[i] + "' are there");
      found = i;
    }
    return found;
  }
  std::size_t column(const std::string& name) const {
    if (const auto found = find_column({name})) return *found;
    fail(records_[0].line, "there is no column '" + name + "'");
  }

  [[noreturn]] void fail(int line, const std::string& what) const {
    throw std::runtime_error(path_ + ":" + std::to_string(line) + ": " + what);
  }

 private:
  const std::vector<std::string>& header() const { return records_[0].fields; }

  std::string path_;
  std::vector<CsvRecord> records_;
};

std::optional<double> error_in(const Sheet& sheet, std::size_t row, std::optional<std::size_t> column) {
  if (!column || sheet.cell(row, *column).empty()) return std::nullopt;
  const std::string& text = sheet.cell(row, *column);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !std::isfinite(value) || value < 0)
    sheet.fail(sheet.line(row), "'" + text + "' is no error; expected a number of 0 or more, or nothing");
  return value;
}

}  // namespace

std::vector<Job> read_list(const std::string& path) {
  const Sheet sheet(path);
  const std::size_t name = sheet.column("name"), file = sheet.column("file");
  const auto error = sheet.find_column({"sf_error", "paper_sf_error"});
  const auto tsvd_error = sheet.find_column({"tsvd_error", "paper_tsvd_error"});
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::vector<Job> jobs;
  for (std::size_t row = 0; row < sheet.rows(); ++row) {
    for (const std::size_t column : {name, file})
      if (sheet.cell(row, column).empty()) sheet.fail(sheet.line(row), "name and file must not be empty");
    jobs.push_back({sheet.cell(row, name), folder / sheet.cell(row, file), error_in(sheet, row, error),
                    error_in(sheet, row, tsvd_error)});
  }
  return jobs;
}

}  // namespace factorize
