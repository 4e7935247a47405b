#include <algorithm>

#include "common/file.hpp"
#include "common/log.hpp"
#include "data/files/folder.hpp"
#include "data/files/packed_dataset.hpp"
#include "data/files/parallel.hpp"
#include "data/grey_picture.hpp"
#include "data/pathfinder.hpp"
#include "data/pathfinder_encoding.hpp"
#include "io/excerpt.hpp"

namespace chord {
namespace {

namespace fs = std::filesystem;

/// The files called *.npy are no arrays but text: a row for each picture, of its folder, its name, its number, its
/// label and what it was drawn by.
struct MetadataFile {
  fs::path path, folder;
  std::string content;
};

struct Picture {
  const MetadataFile* metadata;
  std::int64_t line;
  std::string_view folder, name;
  std::uint8_t label;

  fs::path path() const { return metadata->folder / folder / name; }
  /// Runs a body that looks at the picture; what it finds wrong is told with the row, too.
  template <class Body>
  auto in_row(Body body) const {
    return in_file(text(metadata->path.native(), ": line ", line), body);
  }
};

std::string_view take_word(std::string_view& row) {
  const std::size_t size = std::min(row.find(' '), row.size());
  const std::string_view word = row.substr(0, size);
  row.remove_prefix(std::min(size + 1, row.size()));
  return word;
}

Picture parse_row(const MetadataFile& metadata, std::int64_t line, std::string_view row) {
  Picture picture{&metadata, line, take_word(row), take_word(row), 0};
  take_word(row);  // its number
  const std::string_view label = take_word(row);
  picture.in_row([&] {
    if (label != "0" && label != "1")
      fail(Status::invalid_file, "the label is ", excerpt(label),
           "; expected a row with folder, picture, number and the label 0 or 1");
  });
  picture.label = std::uint8_t(label[0] - '0');
  return picture;
}

void append_pictures(const MetadataFile& metadata, std::vector<Picture>& pictures) {
  std::string_view rest = metadata.content;
  for (std::int64_t line = 1; !rest.empty(); ++line) {
    const std::size_t size = std::min(rest.find('\n'), rest.size());
    std::string_view row = rest.substr(0, size);
    rest.remove_prefix(std::min(size + 1, rest.size()));
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (row.empty() && rest.empty()) return;
    pictures.push_back(parse_row(metadata, line, row));
  }
}

/// Which split a metadata file belongs to, by its place among `count` of a folder.
Split split_of_file(std::size_t place, std::size_t count) {
  const std::size_t held_back = std::clamp<std::size_t>(count / 10, 1, 10);
  if (place < held_back) return Split::test;
  return place < 2 * held_back ? Split::validation : Split::train;
}

class PathfinderPictures : public RecordSource {
 public:
  explicit PathfinderPictures(const std::vector<fs::path>& folders) {
    std::array<std::vector<Picture>, 3> splits;
    for (const fs::path& folder : folders) {
      const std::vector<fs::path> paths = files_in(folder / "metadata", ".npy");
      for (std::size_t i = 0; i < paths.size(); ++i) {
        metadata_.push_back(std::make_unique<MetadataFile>(MetadataFile{paths[i], folder, read_file(paths[i])}));
        append_pictures(*metadata_.back(), splits[std::size_t(split_of_file(i, paths.size()))]);
      }
    }
    for (std::size_t split = 0; split < splits.size(); ++split) {
      leave_out_empty(splits[split]);
      if (splits[split].empty())
        fail(Status::invalid_file, folders[0].parent_path().native(),
             ": has too few pictures; expected three or more metadata files with rows, for training, validation and "
             "test");
      counts_[split] = std::int64_t(splits[split].size());
      pictures_.insert(pictures_.end(), splits[split].begin(), splits[split].end());
    }
  }

  void read(std::int64_t index, std::uint8_t& label, std::uint8_t* tokens) const override {
    const Picture& picture = pictures_[std::size_t(index)];
    const std::string path = picture.path();
    picture.in_row([&] {
      const std::string content = read_file(path);
      const GreyPicture levels = in_file(path, [&] { return parse_grey_picture(content); });
      std::copy(levels.begin(), levels.end(), tokens);
    });
    label = picture.label;
  }

 private:
  static void leave_out_empty(std::vector<Picture>& pictures) {
    std::vector<char> empty(pictures.size());
    for_each_in_parallel(pictures.size(), [&](std::size_t i) {
      std::error_code missing;  // which is found when it is to be decoded
      empty[i] = fs::file_size(pictures[i].path(), missing) == 0 && !missing;
    });
    for (std::size_t i = 0; i < pictures.size(); ++i)
      if (empty[i])
        log(LogLevel::warning, text(pictures[i].path().native(), ": is empty and left out (",
                                    pictures[i].metadata->path.native(), ", line ", pictures[i].line, ")"));
    std::size_t next = 0;
    std::erase_if(pictures, [&](const Picture&) { return empty[next++] != 0; });
  }

  std::vector<std::unique_ptr<MetadataFile>> metadata_;
  std::vector<Picture> pictures_;
};

/// All levels that occur in the pack must be among them.
void expect_levels(const std::vector<int>& levels, const Pack& pack, const fs::path& folder) {
  for (const int value : pack.head().values)
    if (!std::binary_search(levels.begin(), levels.end(), value))
      fail(Status::invalid_file, folder.native(), ": has pixels of grey level ", value,
           ", which does not occur in the data the model was trained on");
}

}  // namespace

std::shared_ptr<const Dataset> open_pathfinder(const DatasetRequest& request) {
  constexpr std::int64_t classes = 2;
  only_length(request.length, picture_pixels);
  const fs::path folder = data_folder(request.data, pathfinder_files, "pathfinder32");
  const std::vector<fs::path> folders = folders_in(folder, "curv_");
  std::error_code missing;
  if (!paths_in(folder / undelivered_pathfinder, missing).empty())
    fail(Status::invalid_file, folder.native(),
         ": has only some of the pictures that were made for it; the others are in ", undelivered_pathfinder,
         " until the generator, which was ended, is called again");
  const auto open = [&] { return std::make_unique<const PathfinderPictures>(folders); };
  const auto pack = pack_of({request.task, "whole", folder, folders, picture_pixels, open}, request.progress);
  const bool own = request.encoding.empty() || request.encoding == "{}";
  const std::vector<int> levels = own ? pack->head().values : grey_levels(request.encoding);
  expect_levels(levels, *pack, folder);
  return packed_dataset(pack, request.split, std::int64_t(levels.size()), classes, grey_tokens(levels),
                        grey_encoding(levels));
}

}  // namespace chord
