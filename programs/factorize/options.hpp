// The command line of chord-factorize.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace factorize {

struct Options {
  std::vector<std::string> inputs;
  std::string list;

  int64_t factors = 0, links = 0;
  std::string protocol = "chord", constraint = "none", resume;

  double seconds = 60, tolerance = 0;
  int64_t iterations = 0;
  int32_t restarts = 0;
  uint64_t seed = 0;

  std::string device = "auto";
  int32_t precision = 0;  // 0: a resumed file's, else 64
  bool matrix_free = false;

  std::string output, report;
  bool json = false;
};

void add_options(CLI::App& app, Options& options);

}  // namespace factorize
