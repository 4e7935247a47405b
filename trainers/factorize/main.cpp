// chord-factorize: approximates square matrices by products of sparse factors, beside a truncated SVD of like size.
#include "../program.hpp"

#include <filesystem>

#include "files.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "list.hpp"
#include "options.hpp"
#include "output.hpp"
#include "protocol.hpp"
#include "report/report.hpp"
#include "run.hpp"
#include "table.hpp"

namespace {

using namespace factorize;

std::vector<Job> jobs_of(const Options& options) {
  if (!options.list.empty()) return read_list(options.list);
  std::vector<Job> jobs;
  for (const std::string& file : options.inputs) jobs.push_back({std::filesystem::path(file).stem(), file, {}, {}});
  return jobs;
}

/// What CLI11 cannot see.
void expect_sense(const Options& options, std::size_t jobs) {
  if (jobs == 0) throw CLI::RequiredError("INPUT or --list");
  if (!options.resume.empty() && jobs > 1) throw CLI::ValidationError("--resume", "goes with a single input");
  if (options.links > 0 && Protocol(options.protocol).custom())
    throw CLI::ValidationError("--links", "a custom protocol has as many links as it lists");
}

/// As it can be pasted into a shell.
std::string command_line(int argc, char** argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_of(" \t\n\"'`$&|;<>()*?[]{}#!~\\") == std::string::npos;
    std::string quoted;
    for (const char each : word) quoted += each == '\'' ? "'\\''" : std::string(1, each);
    line += (i > 0 ? " " : "") + (plain ? word : "'" + quoted + "'");
  }
  return line;
}

void complain(const std::string& problem) { std::fprintf(stderr, "chord-factorize: %s\n", problem.c_str()); }

int factorize_all(const Options& options, const std::string& command) {
  const std::vector<Job> jobs = jobs_of(options);
  const bool published = !options.list.empty();
  expect_sense(options, jobs.size());
  const std::vector<std::string> outputs = output_paths(options, jobs);
  if (!options.report.empty()) expect_writable(options.report);
  if (options.output.empty() && !options.resume.empty())
    std::fprintf(stderr, "no --output: the factors are written back to %s\n", options.resume.c_str());

  catch_interrupts();
  auto context = open_device(options);
  Report report(published || jobs.size() > 1, published, command);
  std::vector<Result> results;
  bool failed = false;
  for (std::size_t i = 0; i < jobs.size() && !interrupted(); ++i) {
    try {
      const Outcome outcome = run(context, options, jobs[i], outputs[i]);
      results.push_back(outcome.result);
      if (!outcome.not_saved.empty()) throw std::runtime_error(outcome.not_saved);
      if (options.json) std::printf("%s\n", to_json(outcome.result, published).c_str());
      std::fflush(stdout);
      if (!options.report.empty()) report.add(outcome.result, outcome.view);
    } catch (const std::exception& problem) {
      complain(problem.what());
      failed = true;
    }
  }
  return interrupted() ? 128 + interrupted() : failed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Approximates square matrices by products of sparse factors with a fixed pattern, and compares each with a "
      "truncated SVD of about as many numbers.",
      "chord-factorize");
  Options options;
  add_options(app, options);
  return program::run(app, argc, argv, [&] { return factorize_all(options, command_line(argc, argv)); });
}
