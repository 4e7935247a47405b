// The command line of chord-factorize.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace factorize {

struct Options {
  std::vector<std::string> inputs;
  std::string list;

  std::optional<int64_t> factors, rank;  // fixed, 0 being none; otherwise as the numbers allow
  int64_t numbers = 0, entries = 0;      // numbers: 0 for as many as the paper's factors have
  bool paper = false;
  int64_t links = 0;
  std::string protocol = "chord", constraint = "none", resume;

  double seconds = 60, tolerance = 0;
  int64_t iterations = 0;
  int32_t restarts = 0;
  uint64_t seed = 0;

  std::string device = "auto";
  int32_t precision = 0;  // 0: a resumed file's, else 64
  bool exact_error = false;
  int64_t pieces = 0;
  bool matrix_free = false;

  std::string output, report;
  bool json = false, sweep = false;
};

void add_options(CLI::App& app, Options& options);

}  // namespace factorize
