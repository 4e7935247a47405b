// What the library does where the machine fails: memory, files, threads; at every place, or at so many of them.
//   chord-faults [--most=N] [--scenario=NAME] [--device=SELECTOR] [--kind=memory|files|threads] [--place=N]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "experiment.hpp"

namespace {

using namespace faults;

struct Options {
  std::int64_t most = 0, place = 0;
  std::string scenario, device, kind;
};

/// The value of an option; null where the argument is another.
const char* value_of(const char* argument, const char* name) {
  const std::size_t length = std::strlen(name);
  return std::strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : nullptr;
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    if (const char* value = value_of(arguments[i], "--most")) {
      options.most = std::atol(value);
    } else if (const char* value = value_of(arguments[i], "--place")) {
      options.place = std::atol(value);
    } else if (const char* value = value_of(arguments[i], "--scenario")) {
      options.scenario = value;
    } else if (const char* value = value_of(arguments[i], "--device")) {
      options.device = value;
    } else if (const char* value = value_of(arguments[i], "--kind")) {
      options.kind = value;
    } else {
      std::fprintf(stderr, "unknown option %s\n", arguments[i]);
      std::exit(2);
    }
  }
  return options;
}

struct NamedKind {
  Kind kind;
  const char* name;
};
constexpr NamedKind kinds[] = {{Kind::memory, "memory"}, {Kind::files, "files"}, {Kind::threads, "threads"}};

}  // namespace

namespace {

struct Total {
  std::int64_t tried = 0, problems = 0;
};

void run_kinds(const Scenario& scenario, const std::string& device, const Options& options, Total& total) {
  for (const NamedKind& kind : kinds) {
    if (!options.kind.empty() && options.kind != kind.name) continue;
    for (const bool from_then_on : {false, true}) {
      const Outcome outcome = run({scenario, device, kind.kind, from_then_on, options.most, options.place});
      total.problems += outcome.problems;
      total.tried += outcome.tried;
      if (outcome.places == 0 && outcome.problems == 0) continue;
      std::printf("%-12s %-10s %-8s %-5s %7ld %7ld %8ld %9ld\n", scenario.name, device.c_str(), kind.name,
                  from_then_on ? "on" : "once", long(outcome.places), long(outcome.tried), long(outcome.refused),
                  long(outcome.problems));
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  // Two threads, so that there is one to be started. What SYCL's runtime does without memory is not in our hands.
  setenv("OMP_NUM_THREADS", "2", 1);
  setenv("CHORD_ONEAPI", "/nonexistent", 1);
  setenv("CHORD_PRETEND_GPU", "1", 1);
  Total total;
  std::printf("%-12s %-10s %-8s %-5s %7s %7s %8s %9s\n", "scenario", "device", "fault", "", "places", "tried",
              "refused", "problems");
  for (const std::string device : {"host", "pretend:0", "cuda:0"}) {
    if ((!options.device.empty() && options.device != device) || !is_there(device)) continue;
    for (const Scenario& scenario : scenarios()) {
      const bool wanted = options.scenario.empty() || options.scenario == scenario.name;
      if (wanted && (scenario.devices || device == "host")) run_kinds(scenario, device, options, total);
    }
  }
  std::printf("%ld faults, %ld problems\n", long(total.tried), long(total.problems));
  return total.problems == 0 && total.tried > 0 ? 0 : 1;
}
