#include "data/files/labelled_files.hpp"

#include <algorithm>

#include "common/file.hpp"
#include "common/streams.hpp"
#include "data/generate_files.hpp"
#include "data/shuffled.hpp"

namespace chord {
namespace {

namespace fs = std::filesystem;

struct LabelledFile {
  fs::path path;
  std::uint8_t label;
};

std::vector<LabelledFile> list_files(const LabelledFolders& folders, const fs::path& part) {
  std::vector<LabelledFile> files;
  for (std::size_t label = 0; label < folders.classes.size(); ++label)
    for (fs::path& each : files_in(part / folders.classes[label], folders.ending))
      files.push_back({std::move(each), std::uint8_t(label)});
  return files;
}

class LabelledFiles : public RecordSource {
 public:
  LabelledFiles(std::vector<LabelledFile> files, bool test, std::shared_ptr<const Encoder> encoder)
      : files_(std::move(files)),
        order_(shuffled(std::int64_t(files_.size()), random_of(Stream::held_back, 0))),
        encoder_(std::move(encoder)) {
    const auto count = std::int64_t(files_.size()), held_back = (count + 9) / 10;
    counts_ = test ? RecordCounts{0, 0, count} : RecordCounts{count - held_back, held_back, 0};
  }

  void read(std::int64_t index, std::uint8_t& label, std::uint8_t* tokens) const override {
    const auto& [path, own_label] = files_[std::size_t(order_[std::size_t(index)])];
    const std::string content = read_file(path);
    std::vector<std::int32_t> wide(std::size_t(encoder_->length()));
    in_file(path, [&] {
      if (content.empty()) fail(Status::invalid_file, "is empty");
      encoder_->encode(content, wide.data());
    });
    label = own_label;
    std::copy(wide.begin(), wide.end(), tokens);
  }

 private:
  std::vector<LabelledFile> files_;
  std::vector<std::int32_t> order_;
  std::shared_ptr<const Encoder> encoder_;
};

}  // namespace

std::shared_ptr<const Pack> pack_of_labelled_files(const LabelledFolders& folders, const DatasetRequest& request,
                                                   std::shared_ptr<const Encoder> encoder) {
  const bool test = request.split == Split::test;
  const std::string part = test ? "test" : "train";
  const auto open = [&] {
    return std::make_unique<const LabelledFiles>(list_files(folders, folders.folder / part), test, encoder);
  };
  std::vector<fs::path> paths;
  for (const std::string& each : folders.classes) paths.push_back(folders.folder / part / each);
  return pack_of({request.task, part, folders.folder, paths, encoder->length(), open}, request.progress);
}

}  // namespace chord
