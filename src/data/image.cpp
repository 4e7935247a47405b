#include "data/image.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "common/error.hpp"
#include "common/file.hpp"
#include "data/grey_picture.hpp"
#include "io/grey.hpp"

namespace chord {
namespace {

constexpr std::size_t pixels = 32 * 32;
constexpr std::size_t record_bytes = 1 + 3 * pixels;  // the label, then all red, all green, all blue
constexpr std::size_t validation_count = 5000;
constexpr std::int64_t classes = 10;

struct Picture {
  std::uint8_t label;
  std::uint8_t grey[pixels];
};

Picture parse_record(const std::string& content, std::size_t record) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(content.data()) + record * record_bytes;
  Picture picture;
  picture.label = *bytes++;
  if (picture.label >= classes)
    fail(Status::invalid_file, "record ", record, " (counted from 0) has label ", int(picture.label),
         "; expected 0 to ", classes - 1);
  for (std::size_t i = 0; i < pixels; ++i)
    picture.grey[i] = grey_of(bytes[i], bytes[pixels + i], bytes[2 * pixels + i]);
  return picture;
}

void append_pictures(const std::string& path, std::vector<Picture>& pictures) {
  const std::string content = read_file(path);
  in_file(path, [&] {
    if (content.empty() || content.size() % record_bytes != 0)
      fail(Status::invalid_file, "has ", content.size(), " bytes; expected one or more records of ", record_bytes);
    const std::size_t count = content.size() / record_bytes;
    pictures.reserve(pictures.size() + count);
    for (std::size_t record = 0; record < count; ++record) pictures.push_back(parse_record(content, record));
  });
}

/// The folder itself, or the one in it that unpacking the archive makes.
std::filesystem::path folder_of(const DatasetRequest& request) {
  if (request.data.empty()) fail(Status::invalid_argument, "data is missing; expected the folder with ", image_files);
  const std::filesystem::path folder = request.data, unpacked = folder / "cifar-10-batches-bin";
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    fail(Status::io_failure, request.data, ": is not a folder; expected the one with ", image_files);
  return std::filesystem::is_directory(unpacked, ignored) ? unpacked : folder;
}

std::vector<Picture> pictures_of(const DatasetRequest& request) {
  const std::filesystem::path folder = folder_of(request);
  std::vector<Picture> pictures;
  if (request.split == Split::test) {
    append_pictures(folder / "test_batch.bin", pictures);
    return pictures;
  }
  for (const char* name :
       {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"})
    append_pictures(folder / name, pictures);
  if (pictures.size() <= validation_count)
    fail(Status::invalid_file, folder.string(), ": has ", pictures.size(),
         " pictures for training; expected more than ", validation_count, ", of which the last ", validation_count,
         " are the validation set");
  const auto boundary = pictures.end() - validation_count;
  return request.split == Split::train ? std::vector<Picture>(pictures.begin(), boundary)
                                       : std::vector<Picture>(boundary, pictures.end());
}

class Image : public Dataset {
 public:
  explicit Image(std::vector<Picture> pictures)
      : Dataset({std::int64_t(pictures.size()), pixels, 0, 256, classes}), pictures_(std::move(pictures)) {}

  void read(std::int64_t index, void* input, void* label) const override {
    const Picture& picture = pictures_[std::size_t(index)];
    std::copy(std::begin(picture.grey), std::end(picture.grey), static_cast<std::int32_t*>(input));
    *static_cast<std::int32_t*>(label) = picture.label;
  }

 private:
  std::vector<Picture> pictures_;
};

class ImageEncoder : public Encoder {
 public:
  ImageEncoder() : Encoder(picture_pixels, level_names()) {}

  std::int64_t encode(std::string_view raw, std::int32_t* tokens) const override {
    const GreyPicture picture = parse_grey_picture(raw);
    std::copy(picture.begin(), picture.end(), tokens);
    return length();
  }
};

}  // namespace

std::unique_ptr<const Encoder> image_encoder(const std::string& encoding, std::int64_t length) {
  expect_no_encoding(encoding);
  only_length(length, picture_pixels);
  return std::make_unique<const ImageEncoder>();
}

std::shared_ptr<const Dataset> open_image(const DatasetRequest& request) {
  only_length(request.length, picture_pixels);
  expect_no_encoding(request.encoding);
  return std::make_shared<const Image>(pictures_of(request));
}

}  // namespace chord
