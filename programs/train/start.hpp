// How a run begins: what is to be done, and where.
#pragma once

#include <memory>

#include "folder.hpp"
#include "options.hpp"
#include "settings.hpp"

namespace train {

struct Start {
  Settings settings;
  Folder folder;
  std::unique_ptr<os::FolderLock> lock;  ///< of a run that is resumed; the folder of a new one does not exist yet
};

/// Throws for settings that make no sense, and for a folder that cannot take the run.
Start start_of(const TrainOptions& options);

}  // namespace train
