#include "output.hpp"

#include <filesystem>
#include <set>
#include <stdexcept>

#include "common/files.hpp"

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

void expect_no_input(const std::string& path, const std::vector<Job>& jobs) {
  std::error_code missing;
  for (const Job& job : jobs)
    if (fs::equivalent(path, job.file, missing))
      throw std::runtime_error(path + ": is an input and would be overwritten");
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
    throw CLI::ValidationError(
        "--output", "names one file for " + std::to_string(jobs.size()) + " inputs; a folder is expected (FOLDER/)");
  std::vector<std::string> paths;
  for (const Job& job : jobs) paths.push_back(is_folder(wanted) ? path_in_folder(wanted, job) : wanted);

  std::set<std::string> taken;
  for (const std::string& path : paths) {
    if (!taken.insert(path).second) throw std::runtime_error(path + ": two inputs of this name would be written there");
    expect_no_input(path, jobs);
  }
  if (wanted.back() == '/') make_folder(wanted);
  for (const std::string& path : paths) expect_writable(path);
  return paths;
}

void expect_report_fits(const Options& options, const std::vector<Job>& jobs, const std::vector<std::string>& outputs) {
  if (options.report.empty()) return;
  expect_no_input(options.report, jobs);
  for (const std::string& output : outputs)
    if (fs::path(output).lexically_normal() == fs::path(options.report).lexically_normal())
      throw CLI::ValidationError("--report", options.report + " cannot be both the factors and the report");
  expect_writable(options.report);
}

}  // namespace factorize
