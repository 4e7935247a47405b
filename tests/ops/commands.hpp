// The commands of chord-ops. Each prints a table, or JSON, and returns the program's exit code.
#pragma once

#include <string>
#include <vector>

#include "device/queue.hpp"
#include "registry.hpp"

namespace ops {

/// What the command line asks for.
struct Wanted {
  std::vector<chord::DeviceDescription> devices;
  std::vector<std::string> operations;  ///< none: all
  bool json = false;
  std::size_t every = 1;            ///< test: every so many variants one
  bool groups = false;              ///< test: kernels of work-groups alone, with groups of every size
  std::vector<std::string> models;  ///< perf: GPUs to tell times of
  bool goals = false;               ///< perf: what is counted must be as good as a GPU wants it

  bool has(const std::string& operation) const;
};

int test_command(const Wanted& wanted);
int grad_command(const Wanted& wanted);
int perf_command(const Wanted& wanted);
int support_command(const Wanted& wanted);

class Counts;
/// What perf shows where the device has no speed: instructions, sectors and bank conflicts of each operation, and the
/// calls of a training step.
int count_command(const Wanted& wanted, const Counts& counts);
/// What such counts would mean on a GPU, by a model of it: training steps of several tasks.
int model_command(const Wanted& wanted, const Counts& counts);

}  // namespace ops
