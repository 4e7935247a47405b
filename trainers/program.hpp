// What all programs share: messages of the library on standard error, failures as one line and exit code 1.
#pragma once

#include <CLI/CLI.hpp>
#include <chord/chord.hpp>
#include <cstdio>
#include <exception>
#include <string>

namespace program {

inline void show_log() {
  chord::check(chord_set_log_callback(
      [](int32_t level, const char* message, void*) {
        std::fprintf(stderr, "%s%s\n", level == CHORD_LOG_WARNING ? "warning: " : "", message);
      },
      nullptr));
}

inline std::string version() {
  int32_t major = 0, minor = 0, patch = 0;
  chord::check(chord_version(&major, &minor, &patch));
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

/// Parses the command line, then runs the body.
template <class Body>
int run(CLI::App& app, int argc, char** argv, Body body) {
  try {
    app.set_version_flag("--version", version());
    app.parse(argc, argv);
    show_log();
    return body();
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), error.what());
    return 1;
  }
}

inline const char* kind_name(int32_t kind) {
  switch (kind) {
    case CHORD_DEVICE_HOST: return "host";
    case CHORD_DEVICE_CPU: return "cpu";
    case CHORD_DEVICE_GPU: return "gpu";
    default: return "other";
  }
}

}  // namespace program
