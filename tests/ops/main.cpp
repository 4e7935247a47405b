// chord-ops: the operations one by one, on every device: are they right, are their gradients, how fast are they.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "commands.hpp"
#include "device/devices.hpp"
#include "gpu_model.hpp"
#include "tests/standin_reports.hpp"

namespace ops {

bool Wanted::has(const std::string& operation) const {
  return operations.empty() || std::find(operations.begin(), operations.end(), operation) != operations.end();
}

namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names)
    if (all.find(name + ",") == std::string::npos) all += (all.empty() ? "" : " ") + name + ",";
  return all.substr(0, all.size() - 1);
}

/// Throws CLI::ValidationError, offering what there is.
void expect_known(const char* what, const std::vector<std::string>& asked, const std::vector<std::string>& known) {
  for (const std::string& name : asked)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw CLI::ValidationError("no " + std::string(what) + " '" + name + "'; there are: " + joined(known));
}

std::vector<chord::DeviceDescription> chosen_devices(const std::vector<std::string>& selectors) {
  std::vector<std::string> known;
  for (const auto& device : chord::devices()) known.push_back(device.selector);
  expect_known("device", selectors, known);
  std::vector<chord::DeviceDescription> chosen;
  for (const auto& device : chord::devices())
    if (selectors.empty() || std::find(selectors.begin(), selectors.end(), device.selector) != selectors.end())
      chosen.push_back(device);
  return chosen;
}

int run_program(int count, char** arguments) {
  CLI::App app("The operations one by one, on every device of this machine and on a pretended GPU.", "chord-ops");
  app.require_subcommand(1);
  app.footer("Exit code: 0 where all is well, 1 where something is wrong, 2 for wrong options.");
  Wanted wanted;
  std::vector<std::string> devices;
  int (*command)(const Wanted&) = nullptr;
  const auto add = [&](const char* name, const char* help, int (*run_it)(const Wanted&)) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->add_option("--operation", wanted.operations, "This operation alone (again for more); all where none is named");
    sub->add_option("--device", devices, "This device alone (again for more), e.g. host, pretend:0, opencl:0");
    sub->add_flag("--json", wanted.json, "Print JSON instead of a table");
    sub->callback([&command, run_it] { command = run_it; });
    return sub;
  };
  CLI::App* test =
      add("test", "Values against a plain reference in double precision, odd sizes and all flags", test_command);
  test->add_option("--every", wanted.every,
                   "One of every so many combinations of sizes and flags, and the first with each of them")
      ->check(CLI::PositiveNumber);
  test->add_flag(
      "--groups", wanted.groups,
      "What GPUs do in work-groups alone: some of the sizes, with groups of 64, 128 and 256 lanes, which must "
      "give the same bits");
  add("grad", "Gradients against finite differences of the same device's forward operation", grad_command);
  CLI::App* perf = add(
      "perf",
      "A benchmark: time, rates and share of the roofline at realistic sizes; on the stand-in for an NVIDIA driver, "
      "counts",
      perf_command);
  perf->add_option(
          "--model", wanted.models,
          "On the stand-in: no counts, but the times of training steps that a model makes of them for this GPU (again "
          "for more)")
      ->check(CLI::IsMember(modelled_gpus()));
  perf->add_flag("--goals", wanted.goals, "On the stand-in: fail where operations have lost a goal of theirs");
  add("support", "Which entry serves an operation on a device; nothing is run", support_command);
  try {
    app.parse(count, arguments);
    std::vector<std::string> known;
    for (const Subject& subject : subjects()) known.push_back(subject.operation);
    expect_known("operation", wanted.operations, known);
    wanted.devices = chosen_devices(devices);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return command(wanted);
}

}  // namespace
}  // namespace ops

int main(int count, char** arguments) {
  setenv("CHORD_PRETEND_GPU", "1", 0);
  // For perf, where the stand-in is the driver of cuda:0; the other commands need no counts. A model wants whole
  // training steps: a few blocks of each launch speak for all.
  if (count > 1 && std::string(arguments[1]) == "perf") {
    setenv("CHORD_STANDIN_PROFILE", "1", 0);
    const bool model = std::any_of(arguments, arguments + count,
                                   [](const char* each) { return std::string(each).rfind("--model", 0) == 0; });
    setenv(model ? "CHORD_STANDIN_SAMPLE" : "CHORD_STANDIN_RACES", model ? "4" : "1", 0);
  }
  try {
    const int failed = ops::run_program(count, arguments);
    if (!std::cout.flush() || std::fflush(stdout) != 0) throw std::runtime_error("standard output cannot be written");
    return failed ? failed : testing::unexpected_standin_reports();
  } catch (const std::exception& error) {
    std::cerr << "chord-ops: " << error.what() << "\n";
    return 1;
  }
}
