#include <ftw.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "common/file.hpp"
#include "common/streams.hpp"
#include "data/files/parallel.hpp"
#include "data/pathfinder.hpp"
#include "data/pathfinder_picture.hpp"
#include "io/png.hpp"
#include "os/folder_lock.hpp"

namespace chord {
namespace {

namespace fs = std::filesystem;

/// The folders of the Long Range Arena and the dashes of their paths.
constexpr struct Kind {
  const char* folder;
  int dashes;
} kinds[] = {{"curv_baseline", 6}, {"curv_contour_length_9", 9}, {"curv_contour_length_14", 14}};

/// Of which the first ten are the test set and the next ten the validation set.
constexpr std::int64_t most_metadata_files = 100;

/// An empty one goes in any case. Without memory a folder cannot even be listed: what was made then stays, under a name
/// that nobody reads. (Nor is it for std::filesystem to remove it, which ends the process in that case.)
void remove_folder(const fs::path& path) {
  constexpr int open_folders = 8;
  if (std::remove(path.c_str()) == 0) return;
  nftw(
      path.c_str(), [](const char* each, const struct stat*, int, FTW*) { return std::remove(each); }, open_folders,
      FTW_DEPTH | FTW_PHYS);
}

fs::path made(const fs::path& folder) {
  fs::create_directories(folder);
  return folder;
}

/// A folder for all that is made, inside the one it goes to in the end; gone again unless it gets there. What a killed
/// process left behind is known by its name when the next begins: pictures that were all made are delivered, others go.
class Workshop {
 public:
  explicit Workshop(const fs::path& output)
      : output_(made(output)),
        path_(output / ".chord-pathfinder"),
        whole_(output / undelivered_pathfinder),
        lock_(output) {
    if (lock_.taken())
      fail(Status::invalid_argument, output.native(),
           ": another process is at work there; wait for it, or choose another folder");
    if (lock_.held()) clear_up();
    for (const fs::path& each : {path_, whole_}) expect_none(each);
    for (const Kind& each : kinds) expect_none(output / each.folder);
    fs::create_directory(path_);
  }
  ~Workshop() {
    remove_folder(path_);
    remove_folder(whole_);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }
  /// All folders, or none; one that is killed meanwhile leaves the rest for the next.
  void deliver() const {
    fs::rename(path_, whole_);
    std::size_t done = 0;
    try {
      for (; done < std::size(kinds); ++done) fs::rename(whole_ / kinds[done].folder, output_ / kinds[done].folder);
    } catch (...) {
      std::error_code ignored;
      while (done-- > 0) fs::rename(output_ / kinds[done].folder, whole_ / kinds[done].folder, ignored);
      throw;
    }
  }

 private:
  void clear_up() const {
    for (const Kind& each : kinds)
      if (fs::exists(whole_ / each.folder)) fs::rename(whole_ / each.folder, output_ / each.folder);
    remove_folder(whole_);
    remove_folder(path_);
  }
  static void expect_none(const fs::path& path) {
    if (fs::exists(path))
      fail(Status::invalid_argument, path.native(),
           ": is there already; remove it, or choose another folder for the output");
  }

  fs::path output_, path_, whole_;
  os::FolderLock lock_;
};

/// Draws a picture, saves it and returns its row of the metadata.
std::string make_picture(const fs::path& folder, std::size_t kind, const std::string& subfolder, std::int64_t place,
                         std::int64_t index, std::uint64_t seed) {
  Draws draws(random_of(Stream::pathfinder, seed, std::uint16_t(kind), std::uint32_t(index)));
  const PathfinderScene scene = draw_pathfinder(draws, kinds[kind].dashes);
  const std::string name = text("sample_", place, ".png");
  const GreyPicture picture = render(scene);
  write_file(folder / subfolder / name, format_png(picture.data(), int(picture_side), int(picture_side)));
  return text(subfolder, ' ', name, ' ', index, ' ', scene.label, ' ', kinds[kind].dashes, ' ', kinds[kind].dashes / 3,
              ' ', scene.distractors.size(), ' ', dash_length, ' ', dash_gap, '\n');
}

/// The pictures first … end − 1 of a kind and their metadata file, all with this number.
void make_part(const fs::path& folder, std::size_t kind, std::int64_t number, std::int64_t first, std::int64_t end,
               std::uint64_t seed) {
  const std::string subfolder = text("imgs/", number);
  fs::create_directories(folder / subfolder);
  std::vector<std::string> rows(std::size_t(end - first));
  for_each_in_parallel(rows.size(), [&](std::size_t i) {
    rows[i] = make_picture(folder, kind, subfolder, std::int64_t(i), first + std::int64_t(i), seed);
  });
  std::string content;
  for (const std::string& each : rows) content += each;
  write_file(folder / "metadata" / text(number, ".npy"), content);
}

void make_all(const GenerateRequest& request) {
  const Workshop workshop(request.output);
  const auto kind_count = std::int64_t(std::size(kinds));
  std::int64_t done = 0;
  for (std::size_t kind = 0; kind < std::size(kinds); ++kind) {
    const fs::path folder = workshop / kinds[kind].folder;
    fs::create_directories(folder / "metadata");
    const std::int64_t count = (request.count + kind_count - 1 - std::int64_t(kind)) / kind_count;
    const std::int64_t parts = std::min(count, most_metadata_files);
    for (std::int64_t part = 0; part < parts; ++part) {
      if (request.progress) request.progress(done, request.count);
      const std::int64_t first = part * count / parts, end = (part + 1) * count / parts;
      make_part(folder, kind, part, first, end, request.seed);
      done += end - first;
    }
  }
  workshop.deliver();
  if (request.progress) request.progress(done, request.count);
}

}  // namespace

void generate_pathfinder(const GenerateRequest& request) {
  try {
    make_all(request);
  } catch (const fs::filesystem_error& error) {
    fail(Status::io_failure, request.output, ": cannot be written: ", error.code().message());
  }
}

}  // namespace chord
