#include "folder.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace train {

namespace fs = std::filesystem;

namespace {

bool all_digits(const std::string& text) {
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Files that are being written are called .chord-PROCESS-NUMBER until they are whole. One of a process that still runs
/// is its own, and nothing else is ours.
bool is_abandoned(const std::string& name) {
  const std::string beginning = ".chord-";
  const std::size_t hyphen = name.rfind('-');
  if (name.rfind(beginning, 0) != 0 || hyphen < beginning.size()) return false;
  const std::string process = name.substr(beginning.size(), hyphen - beginning.size());
  if (!all_digits(process) || !all_digits(name.substr(hyphen + 1))) return false;
  return kill(std::stoi(process), 0) != 0 && errno == ESRCH;
}

}  // namespace

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
  if (!fs::exists(checkpoint()) && (fs::exists(model()) || fs::exists(result())))
    throw std::runtime_error(checkpoint() +
                             ": is missing, and without it the run cannot go on; put it back, or begin " +
                             "anew in another --out");
}

void Folder::create() const {
  std::error_code problem;
  fs::create_directories(path_, problem);
  if (problem) throw std::runtime_error(path_ + ": cannot make this folder: " + problem.message());
}

std::unique_ptr<os::FolderLock> Folder::lock() const {
  auto lock = std::make_unique<os::FolderLock>(path_);
  if (lock->taken())
    throw std::runtime_error(path_ + ": another chord-train is at work there; wait for it, or choose another --out");
  if (!lock->held())
    std::fprintf(stderr, "warning: %s: cannot be locked (%s); see that no other run uses it\n", path_.c_str(),
                 lock->problem().message().c_str());
  return lock;
}

void Folder::clean() const {
  for (const auto& entry : fs::directory_iterator(path_)) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored) && is_abandoned(entry.path().filename())) fs::remove(entry.path(), ignored);
  }
}

}  // namespace train
