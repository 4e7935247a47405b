#include "output.hpp"

#include <filesystem>
#include <set>
#include <stdexcept>

#include "common/files.hpp"
#include "common/misuse.hpp"

namespace factorize {
namespace {

using namespace program;

namespace fs = std::filesystem;

bool is_folder(const std::string& path) { return path.back() == '/' || fs::is_directory(path); }

std::string path_in_folder(const std::string& folder, const Job& job) {
  if (job.name.find('/') != std::string::npos)
    throw std::runtime_error("the name '" + job.name + "' cannot be a file's: it has a slash");
  return fs::path(folder) / (job.name + ".safetensors");
}

/// What is read, but for a file that is resumed: factors may go back there.
std::vector<std::string> files_read(const Options& options, const std::vector<Job>& jobs) {
  std::vector<std::string> files = {options.list};
  for (const Job& job : jobs) files.push_back(job.file);
  return files;
}

/// FOLDER/ is made where it is missing.
void make_folder(const std::string& path) {
  std::error_code problem;
  fs::create_directories(path, problem);
  if (problem) throw std::runtime_error(path + ": cannot make this folder: " + problem.message());
}

}  // namespace

std::vector<std::string> output_paths(const Options& options, const std::vector<Job>& jobs) {
  const std::string& wanted = options.output.empty() ? options.resume : options.output;
  if (wanted.empty()) return std::vector<std::string>(jobs.size());
  if (jobs.size() > 1 && !is_folder(wanted))
    throw program::Misuse(
        "--output", "names one file for " + std::to_string(jobs.size()) + " inputs; a folder is expected (FOLDER/)");
  std::vector<std::string> paths;
  for (const Job& job : jobs) paths.push_back(is_folder(wanted) ? path_in_folder(wanted, job) : wanted);

  std::set<std::string> taken;
  for (const std::string& path : paths)
    if (!taken.insert(path).second) throw std::runtime_error(path + ": two inputs of this name would be written there");
  if (wanted.back() == '/') make_folder(wanted);
  for (const std::string& path : paths) expect_writable(path, files_read(options, jobs));
  return paths;
}

void expect_report_fits(const Options& options, const std::vector<Job>& jobs, const std::vector<std::string>& outputs) {
  if (options.report.empty()) return;
  for (const std::string& output : outputs)
    if (fs::path(output).lexically_normal() == fs::path(options.report).lexically_normal())
      throw program::Misuse("--report", options.report + " cannot be both the factors and the report");
  std::vector<std::string> read = files_read(options, jobs);
  read.push_back(options.resume);
  expect_writable(options.report, read);
}

}  // namespace factorize
