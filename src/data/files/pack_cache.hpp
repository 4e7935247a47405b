// Packs of files that were decoded once, in the user's cache.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/files/pack.hpp"

namespace chord {

/// Files of a task that are decoded together.
struct PackFiles {
  std::string task, part;                    ///< "text", "train"
  std::filesystem::path folder;              ///< where somebody said they are
  std::vector<std::filesystem::path> paths;  ///< they, or the folders they are in: if one changes, so does the pack
  std::int64_t length;                       ///< tokens of a record
  std::function<std::unique_ptr<const RecordSource>()> open;
};

/// The pack of these files: from the cache, or made anew and kept there, or made in memory where it cannot be kept.
std::shared_ptr<const Pack> pack_of(const PackFiles& files, const Progress& progress);

}  // namespace chord
