// What all programs share: exit codes, failures as one line, messages of the library on standard error, and that
// nothing ends in an abort or goes unwritten without a word.
#pragma once

#include <chord/chord.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include "misuse.hpp"

namespace CLI {
class App;
}

namespace program {

/// Beside 0, and 128 + the number of a signal.
enum ExitCode { failed = 1, misused = 2 };

enum class Log { all, warnings };
/// Which of the library's messages come out on standard error.
void show_log(Log log);
std::string version();
const char* kind_name(int32_t kind);

/// The command line as it can be pasted into a shell.
std::string command_line(int argc, char** argv);

/// A whole program. What it throws becomes one line and an exit code, as does standard output that cannot be written.
int guarded(int (*whole)(int, char**), int argc, char** argv);

/// Tells what is wrong with the options, or gives the help that was asked for; returns the exit code.
int explain(const CLI::App& app, const std::exception& error);

/// The exit code alone, where another tells.
int explain_nothing(const CLI::App& app, const std::exception& error);

/// Tells of it in one line and returns the exit code. Work that a signal stopped has nothing to tell.
int fail(const std::exception& error);

/// Parses the command line, then runs the body. `tell` explains what either of them has to say of the options.
int run(CLI::App& app, int argc, char** argv, const std::function<int()>& body,
        int (*tell)(const CLI::App&, const std::exception&) = explain);

}  // namespace program
