// chord-factorize: approximates square matrices by products of sparse factors, beside a truncated SVD of like size.
#include "../program.hpp"
#include "batch.hpp"

namespace {

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

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Approximates square matrices by products of sparse factors with a fixed pattern, and compares each\n"
      "with a truncated SVD of about as many numbers.",
      "chord-factorize");
  factorize::Options options;
  factorize::add_options(app, options);
  return program::run(app, argc, argv, [&] { return factorize::run_all(options, command_line(argc, argv)); });
}
