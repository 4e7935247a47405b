#include <algorithm>
#include <filesystem>
#include <vector>

#include "common/file.hpp"
#include "data/files/folder.hpp"
#include "data/files/packed_dataset.hpp"
#include "data/files/text_lines.hpp"
#include "data/listops.hpp"
#include "io/excerpt.hpp"

namespace chord {
namespace {

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> columns;
  while (true) {
    const std::size_t tab = line.find('\t');
    columns.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return columns;
    line.remove_prefix(tab + 1);
  }
}

std::uint8_t label_of(std::string_view text) {
  if (text.size() != 1 || text[0] < '0' || text[0] > '9')
    fail(Status::invalid_file, "the target is ", excerpt(text), "; expected a digit");
  return std::uint8_t(text[0] - '0');
}

/// The rows of a file. A first line that names the columns Source and Target says where they are; else they are the
/// first two.
class ListOpsRows : public RecordSource {
 public:
  ListOpsRows(const std::string& path, Split split) : lines_(path), encoder_(listops_encoder("", 0)) {
    if (lines_.count() > 0) read_header();
    counts_[std::size_t(split)] = lines_.count() - first_;
    if (lines_.count() == first_) fail(Status::invalid_file, path, ": has no rows");
  }

  void read(std::int64_t index, std::uint8_t& label, std::uint8_t* tokens) const override {
    lines_.in_line(first_ + index, [&](std::string_view line) {
      const std::vector<std::string_view> columns = columns_of(line);
      if (columns.size() <= std::max(source_, target_))
        fail(Status::invalid_file, "has ", columns.size(),
             " columns; expected the expression and its value, with a tab "
             "between them");
      label = label_of(columns[target_]);
      std::int32_t wide[listops::length];
      encoder_->encode(columns[source_], wide);
      std::copy(std::begin(wide), std::end(wide), tokens);
    });
  }

 private:
  void read_header() {
    lines_.in_line(0, [&](std::string_view line) {
      const std::vector<std::string_view> names = columns_of(line);
      const auto source = std::find(names.begin(), names.end(), "Source");
      const auto target = std::find(names.begin(), names.end(), "Target");
      if (source == names.end() || target == names.end()) return;
      source_ = std::size_t(source - names.begin());
      target_ = std::size_t(target - names.begin());
      first_ = 1;
    });
  }

  TextLines lines_;
  std::unique_ptr<const Encoder> encoder_;
  std::size_t source_ = 0, target_ = 1;
  std::int64_t first_ = 0;  ///< the line of the first row
};

}  // namespace

std::shared_ptr<const Dataset> open_listops(const DatasetRequest& request) {
  only_length(request.length, listops::length);
  expect_no_encoding(request.encoding);
  constexpr const char* names[] = {"train", "val", "test"};
  const std::string name = names[std::size_t(request.split)];
  const std::filesystem::path folder = data_folder(request.data, listops_files);
  const std::filesystem::path path = folder / ("basic_" + name + ".tsv");
  const auto open = [&] { return std::make_unique<const ListOpsRows>(path, request.split); };
  const auto pack = pack_of({request.task, name, folder, {path}, listops::length, open}, request.progress);
  return packed_dataset(pack, request.split, listops::vocabulary, listops::classes);
}

}  // namespace chord
