// The command line of chord-train.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "keys.hpp"

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
  std::string model, task, input, output, labels, gradients;
  int64_t batch = 0;
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
  GenerateOptions generate;
};

void add_options(CLI::App& app, Options& options);

}  // namespace train
