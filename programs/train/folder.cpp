#include "folder.hpp"

#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace train {

namespace fs = std::filesystem;

void Folder::expect_empty() const {
  if (!fs::exists(path_)) return;
  if (!fs::is_directory(path_)) throw std::runtime_error(path_ + ": is a file; a folder is expected");
  if (fs::exists(config()))
    throw std::runtime_error(path_ + ": already holds a run; go on with --resume, choose another --out, or remove it");
  if (!fs::is_empty(path_))
    throw std::runtime_error(path_ + ": is not empty; choose another --out, or an empty folder");
}

void Folder::expect_run() const {
  if (!fs::exists(config()))
    throw std::runtime_error(path_ + ": holds no run to go on with (no config.json); begin one without --resume");
}

void Folder::create() const {
  std::error_code problem;
  fs::create_directories(path_, problem);
  if (problem) throw std::runtime_error(path_ + ": cannot make this folder: " + problem.message());
}

void Folder::clean() const {
  for (const auto& entry : fs::directory_iterator(path_)) {
    const std::string name = entry.path().filename();
    const bool ours = name.rfind(".chord-", 0) == 0 || (name.size() > 4 && name.rfind(".tmp") == name.size() - 4);
    std::error_code ignored;
    if (ours && entry.is_regular_file()) fs::remove(entry.path(), ignored);
  }
}

}  // namespace train
