#include "data/image.hpp"

#include <algorithm>
#include <array>
#include <deque>

#include "common/file.hpp"
#include "data/files/labelled_files.hpp"
#include "data/grey_picture.hpp"
#include "io/grey.hpp"

namespace chord {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t pixels = std::size_t(picture_pixels);
constexpr std::size_t record_bytes = 1 + 3 * pixels;  // the label, then all red, all green, all blue
constexpr std::int64_t validation_count = 5000, vocabulary = 256;

/// In the order of their labels, which is also that of the alphabet. Nothing that allocates: what fails while the
/// library is loaded ends the process.
constexpr std::array<const char*, 10> class_names = {"airplane", "automobile", "bird",  "cat",  "deer",
                                                     "dog",      "frog",       "horse", "ship", "truck"};

class ImageEncoder : public Encoder {
 public:
  ImageEncoder() : Encoder(picture_pixels, level_names()) {}

  std::int64_t encode(std::string_view raw, std::int32_t* tokens) const override {
    const GreyPicture picture = parse_grey_picture(raw);
    std::copy(picture.begin(), picture.end(), tokens);
    return length();
  }
};

/// Files of the binary version, one after the other.
class ImageBatches : public RecordSource {
 public:
  ImageBatches(const std::vector<fs::path>& paths, bool test) {
    std::int64_t count = 0;
    for (const fs::path& each : paths) {
      firsts_.push_back(count);
      files_.emplace_back(each);
      count += records_of(files_.back());
    }
    counts_ = test ? RecordCounts{0, 0, count} : RecordCounts{count - validation_count, validation_count, 0};
    if (counts_[0] < 1 && !test)
      fail(Status::invalid_file, paths[0].parent_path().native(), ": has ", count,
           " pictures for training; expected more than ", validation_count, ", of which the last ", validation_count,
           " are the validation set");
  }

  void read(std::int64_t index, std::uint8_t& label, std::uint8_t* tokens) const override {
    const auto number = std::size_t(std::upper_bound(firsts_.begin(), firsts_.end(), index) - firsts_.begin() - 1);
    const auto record = std::size_t(index - firsts_[number]);
    std::uint8_t bytes[record_bytes];
    files_[number].read(record * record_bytes, record_bytes, reinterpret_cast<char*>(bytes));
    label = bytes[0];
    if (label >= class_names.size())
      fail(Status::invalid_file, files_[number].path(), ": record ", record, " (counted from 0) has label ", int(label),
           "; expected 0 to ", class_names.size() - 1);
    const std::uint8_t *red = bytes + 1, *green = red + pixels, *blue = green + pixels;
    for (std::size_t i = 0; i < pixels; ++i) tokens[i] = grey_of(red[i], green[i], blue[i]);
  }

 private:
  static std::int64_t records_of(const OpenFile& file) {
    if (file.size() == 0 || file.size() % record_bytes != 0)
      fail(Status::invalid_file, file.path(), ": has ", file.size(), " bytes; expected one or more records of ",
           record_bytes);
    return std::int64_t(file.size() / record_bytes);
  }

  std::deque<OpenFile> files_;        ///< which cannot be moved
  std::vector<std::int64_t> firsts_;  ///< the index of each file's first picture
};

std::shared_ptr<const Pack> pack_of_batches(const fs::path& folder, const DatasetRequest& request) {
  const bool test = request.split == Split::test;
  std::vector<fs::path> paths;
  if (test) paths.push_back(folder / "test_batch.bin");
  for (int number = 1; number <= 5 && !test; ++number)
    paths.push_back(folder / ("data_batch_" + std::to_string(number) + ".bin"));
  const auto open = [&] { return std::make_unique<const ImageBatches>(paths, test); };
  return pack_of({request.task, test ? "test" : "train", folder, paths, picture_pixels, open}, request.progress);
}

}  // namespace

std::unique_ptr<const Encoder> image_encoder(const std::string& encoding, std::int64_t length) {
  expect_no_encoding(encoding);
  only_length(length, picture_pixels);
  return std::make_unique<const ImageEncoder>();
}

std::shared_ptr<const Dataset> open_image(const DatasetRequest& request) {
  only_length(request.length, picture_pixels);
  expect_no_encoding(request.encoding);
  const fs::path folder = data_folder(request.data, image_files, "cifar-10-batches-bin");
  std::error_code ignored;
  const bool pngs = fs::is_directory(folder / "train", ignored) && fs::is_directory(folder / "test", ignored);
  return packed_dataset(pngs ? pack_of_labelled_files({folder, {class_names.begin(), class_names.end()}, ".png"},
                                                      request, image_encoder("", 0))
                             : pack_of_batches(folder, request),
                        request.split, vocabulary, std::int64_t(class_names.size()));
}

}  // namespace chord
