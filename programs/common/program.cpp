#include "program.hpp"

#include "nearest.hpp"

namespace program {
namespace {

/// "--length=5" without its value.
std::string name_of(const std::string& argument) { return argument.substr(0, argument.find('=')); }

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace

void show_log() {
  chord::check(chord_set_log_callback(
      [](int32_t level, const char* message, void*) {
        std::fprintf(stderr, "%s%s\n", level == CHORD_LOG_WARNING ? "warning: " : "", message);
      },
      nullptr));
}

std::string version() {
  int32_t major = 0, minor = 0, patch = 0;
  chord::check(chord_version(&major, &minor, &patch));
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

const char* kind_name(int32_t kind) {
  switch (kind) {
    case CHORD_DEVICE_HOST: return "host";
    case CHORD_DEVICE_CPU: return "cpu";
    case CHORD_DEVICE_GPU: return "gpu";
    default: return "other";
  }
}

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

std::string unknown_options(const CLI::App& app) {
  std::string lines;
  for (const std::string& argument : app.remaining()) {
    if (argument.size() < 2 || argument[0] != '-') continue;
    lines += "There is no option " + name_of(argument) + did_you_mean(name_of(argument), option_names(app)) + "\n";
  }
  for (const CLI::App* command : app.get_subcommands()) lines += unknown_options(*command);
  return lines;
}

}  // namespace program
