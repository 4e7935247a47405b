// What all programs share: messages of the library on standard error, failures as one line and exit code 1, wrong
// options with the ones that may have been meant.
#pragma once

#include <CLI/CLI.hpp>
#include <chord/chord.hpp>
#include <cstdio>
#include <exception>
#include <string>

namespace program {

void show_log();
std::string version();
const char* kind_name(int32_t kind);

/// The command line as it can be pasted into a shell.
std::string command_line(int argc, char** argv);

/// A line for each option that was given and does not exist; empty if there are none.
std::string unknown_options(const CLI::App& app);

/// Parses the command line, then runs the body.
template <class Body>
int run(CLI::App& app, int argc, char** argv, Body body) {
  try {
    app.set_version_flag("--version", version());
    app.parse(argc, argv);
    show_log();
    return body();
  } catch (const CLI::ParseError& error) {
    const std::string unknown = error.get_exit_code() == 0 ? "" : unknown_options(app);
    if (unknown.empty()) return app.exit(error);
    std::fprintf(stderr, "%sRun with --help for more information.\n", unknown.c_str());
    return static_cast<int>(CLI::ExitCodes::ExtrasError);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), error.what());
    return 1;
  }
}

}  // namespace program
