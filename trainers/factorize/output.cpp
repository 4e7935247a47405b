#include "output.hpp"

#include <filesystem>
#include <set>
#include <stdexcept>

#include "files.hpp"

namespace factorize {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) { return path.back() == '/' || fs::is_directory(path); }

std::string path_in_folder(const std::string& folder, const Job& job) {
  if (job.name.find('/') != std::string::npos)
    throw std::runtime_error("the name '" + job.name + "' cannot be a file's: it has a slash");
  return fs::path(folder) / (job.name + ".safetensors");
}

bool same_file(const std::string& one, const std::string& other) {
  std::error_code missing;
  return fs::equivalent(one, other, missing);
}

}  // namespace

std::vector<std::string> output_paths(const Options& options, const std::vector<Job>& jobs) {
  const std::string& wanted = options.output.empty() ? options.resume : options.output;
  if (wanted.empty()) return std::vector<std::string>(jobs.size());
  if (jobs.size() > 1 && !is_folder(wanted))
    throw std::runtime_error("--output names one file for " + std::to_string(jobs.size()) +
                             " inputs; a folder is expected (FOLDER/)");
  std::vector<std::string> paths;
  for (const Job& job : jobs) paths.push_back(is_folder(wanted) ? path_in_folder(wanted, job) : wanted);

  std::set<std::string> taken;
  for (const std::string& path : paths) {
    if (!taken.insert(path).second) throw std::runtime_error(path + ": two inputs of this name would be written there");
    for (const Job& job : jobs)
      if (same_file(path, job.file)) throw std::runtime_error(path + ": is an input and would be overwritten");
    expect_writable(path);
  }
  return paths;
}

}  // namespace factorize
