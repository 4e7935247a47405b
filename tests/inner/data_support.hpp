// What the tests of datasets from files share.
#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>

#include <chord/chord.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "files.hpp"

namespace data_tests {

using Tokens = std::vector<int32_t>;

/// The user's cache for as long as it lives: an empty folder, or whatever path is given.
class Cache {
 public:
  Cache() : Cache("") {}
  explicit Cache(const std::string& path) {
    if (const char* before = getenv("XDG_CACHE_HOME")) before_ = before;
    setenv("XDG_CACHE_HOME", (path.empty() ? folder_.path() : path).c_str(), 1);
  }
  ~Cache() {
    if (before_.empty())
      unsetenv("XDG_CACHE_HOME");
    else
      setenv("XDG_CACHE_HOME", before_.c_str(), 1);
  }

  /// The packs in it.
  std::vector<std::filesystem::path> packs() const {
    std::vector<std::filesystem::path> found;
    const std::filesystem::path datasets = folder_ / "sparsechord/datasets";
    if (!std::filesystem::exists(datasets)) return found;
    for (const auto& each : std::filesystem::directory_iterator(datasets)) found.push_back(each.path());
    return found;
  }

 private:
  files::Folder folder_;
  std::string before_;
};

/// What the library logs while it lives.
class Log {
 public:
  Log() {
    chord_set_log_callback(
        [](int32_t, const char* message, void* self) { static_cast<Log*>(self)->text_ += std::string(message) + "\n"; },
        this);
  }
  ~Log() { chord_set_log_callback(nullptr, nullptr); }
  bool has(const std::string& part) const { return text_.find(part) != std::string::npos; }

 private:
  std::string text_;
};

inline void save(const std::filesystem::path& path, const std::string& content) {
  std::filesystem::create_directories(path.parent_path());
  files::save(path, content);
}

struct Sequences {
  chord_dataset_info info;
  std::string encoding;
  Tokens tokens, labels;

  Tokens sequence(int64_t index) const {
    return {tokens.begin() + index * info.length, tokens.begin() + (index + 1) * info.length};
  }
  bool operator==(const Sequences& other) const {
    return encoding == other.encoding && tokens == other.tokens && labels == other.labels;
  }
};

/// All sequences of a split; throws what the library refuses.
inline Sequences load(const chord_dataset_options& options) {
  const chord::Dataset dataset(options);
  Sequences all{dataset.info(), dataset.encoding(), {}, {}};
  dataset.read(0, all.info.count, all.tokens, all.labels);
  return all;
}
inline Sequences load(const char* task, const char* split, const std::string& folder, int64_t count = 0,
                      uint64_t sample = 0) {
  auto options = chord::dataset_options(task, split);
  options.data = folder.c_str();
  options.count = count;
  options.sample = sample;
  return load(options);
}

inline void expect_refused(const char* task, const char* split, const std::string& folder, chord_status status,
                           const std::string& part) {
  try {
    load(task, split, folder);
    FAIL_CHECK("nothing was wrong; expected: " << part);
  } catch (const chord::Error& error) {
    CHECK(std::string(chord_status_name(error.status())) == chord_status_name(status));
    CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, std::string(error.what()));
  }
}

/// A grey picture of 32 × 32 pixels.
template <class Level>
std::string grey_png(Level level) {
  std::string rows;
  for (int y = 0; y < 32; ++y) {
    rows += '\0';  // no filter
    for (int x = 0; x < 32; ++x) rows += char(level(x, y));
  }
  return files::png({32, 32, 8}, rows);
}

}  // namespace data_tests
