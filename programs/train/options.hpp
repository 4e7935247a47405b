// The command line of chord-train.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keys.hpp"

namespace CLI {
class App;
}

namespace train {

/// chord-train TASK …
struct TrainOptions {
  std::string task, config, out;
  Json given = Json::object();  ///< like a configuration file
  bool resume = false, json = false, quiet = false;
  double checkpoint_seconds = 30;
};

/// What eval, predict and generate share.
struct MachineOptions {
  std::string device = "auto";
  int64_t threads = 0;
};

struct EvalOptions : MachineOptions {
  std::string model, task, data, split = "test";
  int64_t length = 0, count = 0, batch = 0;
  uint64_t seed = 0;
  bool json = false;
};

struct PredictOptions : MachineOptions {
  std::string model, task, output, labels, gradients;
  std::vector<std::string> inputs;
  int64_t batch = 0;
  bool json = false;

  /// All that is read, which no result may replace.
  std::vector<std::string> files_read() const {
    std::vector<std::string> files = inputs;
    files.insert(files.end(), {model, labels});
    return files;
  }
};

struct AttentionOptions : MachineOptions {
  std::string model, task, input, data, split = "test", output;
  std::optional<int64_t> index;
  int64_t count = 0, block = 0;
  uint64_t seed = 0;
  bool json = false;
};

struct CompareOptions {
  std::vector<std::string> runs;
  std::string output = "compare.html";
  bool json = false;
};

struct GenerateOptions {
  std::string task, data, split = "train", output;
  int64_t length = 0, count = 0;
  uint64_t seed = 0;
  bool json = false;
};

struct Options {
  TrainOptions train;
  EvalOptions eval;
  PredictOptions predict;
  AttentionOptions attention;
  CompareOptions compare;
  GenerateOptions generate;
};

void add_options(CLI::App& app, Options& options);

}  // namespace train
