#include "program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <system_error>

#include "interrupt.hpp"
#include "message.hpp"
#include "options.hpp"

namespace program {
namespace {

constexpr const char* out_of_memory = "out of memory";

void tell(const char* problem) { std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, problem); }

/// Where memory fails inside what must not throw, such as a destructor of JSON. Nothing may be allocated here.
[[noreturn]] void end_without_abort() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
    tell("ended by an error of its own");
  } catch (const std::bad_alloc&) {
    tell(out_of_memory);
  } catch (const std::exception& error) {
    tell(error.what());
  } catch (...) {
    tell("ended by an unknown error");
  }
  _exit(failed);
}

/// Before the constructors of CLI11's constants, which allocate.
[[gnu::constructor(101)]] void never_abort() { std::set_terminate(end_without_abort); }

/// A file that is opened while one of these is closed would take its number, and get what is meant for the terminal.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// The exit code, unless what was printed did not arrive.
int with_output_written(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  const std::string reason = errno ? ": " + std::generic_category().message(errno) : "";
  tell(("standard output cannot be written" + reason).c_str());
  return code == 0 ? failed : code;
}

/// What the parser found wrong, where its own words ("A excludes B", "At Most 1 required but received 2") are not
/// plain.
std::string problem_of(const std::exception& error) {
  std::string told = error.what();
  const auto reworded = [&](const std::string& words, const std::string& plain, const std::string& end) {
    const std::size_t found = told.find(words);
    if (found != std::string::npos) told = told.replace(found, words.size(), plain) + end;
  };
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) reworded(" excludes ", " and ", " cannot be given together");
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
    reworded("At Most 1 required but received ", "is given ", " times; expected once");
  return told;
}

/// Help and the version come out of the parser as errors, too.
const CLI::ParseError* asked_for_help(const std::exception& error) {
  const auto* of_parser = dynamic_cast<const CLI::ParseError*>(&error);
  return of_parser && of_parser->get_exit_code() == 0 ? of_parser : nullptr;
}

}  // namespace

void show_log(Log log) {
  static Log shown;
  shown = log;
  chord::check(chord_set_log_callback(
      [](int32_t level, const char* message, void* user) {
        const bool warning = level == CHORD_LOG_WARNING;
        if (warning || *static_cast<const Log*>(user) == Log::all)
          std::fprintf(stderr, "%s%s\n", warning ? "warning: " : "", message);
      },
      &shown));
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

int guarded(int (*whole)(int, char**), int argc, char** argv) {
  keep_standard_streams();
  try {
    return with_output_written(whole(argc, argv));
  } catch (const std::exception& error) {
    return fail(error);
  }
}

int explain(const CLI::App& app, const std::exception& error) {
  if (const auto* help = asked_for_help(error)) return app.exit(*help);
  const std::string unknown = unknown_options(app), problem = unknown.empty() ? problem_of(error) + "\n" : unknown;
  std::fprintf(stderr, "%sRun with --help for more information.\n", problem.c_str());
  return misused;
}

int explain_nothing(const CLI::App&, const std::exception& error) { return asked_for_help(error) ? 0 : misused; }

int run(CLI::App& app, int argc, char** argv, const std::function<int()>& body,
        int (*tell)(const CLI::App&, const std::exception&)) {
  try {
    app.set_version_flag("--version", version());
    expect_clear(app, argc, argv);
    app.parse(argc, argv);
    show_log(Log::all);
    return body();
  } catch (const CLI::ParseError& error) {
    return tell(app, error);
  } catch (const Misuse& error) {
    return tell(app, error);
  }
}

int fail(const std::exception& error) {
  const auto* of_library = dynamic_cast<const chord::Error*>(&error);
  if (of_library && of_library->status() == CHORD_ERROR_STOPPED && interrupted()) return 128 + interrupted();
  tell(dynamic_cast<const std::bad_alloc*>(&error) ? out_of_memory : message_of(error));
  return failed;
}

}  // namespace program
