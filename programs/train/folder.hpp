// What a run leaves.
#pragma once

#include <memory>
#include <string>

#include "os/folder_lock.hpp"

namespace train {

class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string config() const { return in("config.json"); }
  std::string log() const { return in("log.csv"); }
  std::string model() const { return in("model.safetensors"); }
  std::string checkpoint() const { return in("checkpoint.safetensors"); }
  std::string result() const { return in("result.json"); }
  std::string report() const { return in("report.html"); }

  /// Throws unless a new run can begin there: it is empty or does not exist.
  void expect_empty() const;
  /// Throws unless a run has begun there that can go on.
  void expect_run() const;
  void create() const;
  /// Throws if a run is at work there: two at once would write over one another's files.
  std::unique_ptr<os::FolderLock> lock() const;
  /// Removes files that a killed process had not finished.
  void clean() const;

 private:
  std::string in(const char* name) const { return path_ + "/" + name; }

  std::string path_;
};

}  // namespace train
