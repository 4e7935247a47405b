// chord-bench: Google Benchmark with the machine's limits measured first and a summary of ratios last.
// All options of Google Benchmark work, e.g. --benchmark_filter=product, beside two of ours; repetitions are
// interleaved, because machines are shared and noisy.
#include <algorithm>
#include <chord/chord.hpp>
#include <cstdio>
#include <stdexcept>

#include "common/files.hpp"
#include "common/program.hpp"
#include "common/terminal.hpp"
#include "earlier.hpp"
#include "summary.hpp"
#include "work.hpp"

namespace {

std::vector<Work> all_work;

/// Interleaved repetitions are reported at the end; until then a terminal shows what is running.
void show_progress(const std::string& name) {
  static int runs = 0;
  if (program::rewrites_lines()) std::fprintf(stderr, "\r\033[K%d runs; %s", ++runs, name.c_str());
}

}  // namespace

const std::vector<Work>& registered_work() { return all_work; }

std::string name_of(const Work& work) {
  return work.operation + "/" + work.runner + "/N:" + std::to_string(work.n) + "/D:" + std::to_string(work.d) +
         "/batch:" + std::to_string(work.batch);
}

void register_work(const Machine& machine, const Work& work, std::function<std::function<void()>()> prepare) {
  all_work.push_back(work);
  const double least = roofline_seconds(machine, work.operations, work.bytes);
  benchmark::RegisterBenchmark(
      name_of(work).c_str(),
      [=](benchmark::State& state) {
        show_progress(name_of(work));
        const std::function<void()> body = prepare();
        body();  // warm: memory is touched, blocks are pooled
        for (auto _ : state) body();
        using benchmark::Counter;
        state.counters["GF/s"] = Counter(work.operations * 1e-9, Counter::kIsIterationInvariantRate);
        state.counters["GB/s"] = Counter(work.bytes * 1e-9, Counter::kIsIterationInvariantRate);
        state.counters["roofline"] = Counter(least, Counter::kIsIterationInvariantRate);
      })
      ->UseRealTime()
      ->MinTime(0.05)
      ->Repetitions(5);
}

namespace {

void print_help() {
  std::fputs(R"(Measures the operations and models of the library on every device, beside what
this machine can do at best and beside oneMKL where it is there.
Usage: chord-bench [OPTIONS]

Options:
  --html=FILE                      A page with devices side by side as bars
  --compare=FILE.json              Beside what an earlier --benchmark_out kept

Options of Google Benchmark:
  --help                           Print this help message and exit
  --benchmark_list_tests           Print the names and measure nothing
  --benchmark_filter=REGEX         Only those whose names match; -REGEX: all others
  --benchmark_repetitions=K        How often each is measured (default: 5)
  --benchmark_out=FILE             Keep all figures, too
  --benchmark_out_format=FORMAT    As json, console or csv (default: json)
  --benchmark_context=NAME=TEXT    To be kept with them, and in the head of the page

Repetitions are interleaved, because machines are shared and noisy; the table at
the end has the best of each.

Examples:
  chord-bench --benchmark_filter=product/host
  chord-bench --benchmark_filter='training|inference' --benchmark_out=old.json
  chord-bench --benchmark_filter='training|inference' --compare=old.json
)",
             stdout);
  // Google Benchmark leaves the program by itself.
  if (std::fflush(stdout) != 0) throw std::runtime_error("standard output cannot be written");
}

void describe_machine(const Machine& machine) {
  benchmark::AddCustomContext("stream bandwidth, GB/s", std::to_string(machine.bandwidth * 1e-9));
  benchmark::AddCustomContext("multiply-add peak, GF/s", std::to_string(machine.peak * 1e-9));
  for (const auto& device : chord::devices())
    benchmark::AddCustomContext(std::string("device ") + device.selector,
                                std::string(device.name) + ", " + device.backend);
}

/// Of the command line, what is not Google Benchmark's.
struct Own {
  std::string html, compare;
  std::vector<std::string> facts;
};

/// Takes ours out of the arguments.
Own own_options(std::vector<char*>& arguments) {
  Own own;
  const auto begins = [](const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; };
  std::vector<char*> rest;
  for (char* each : arguments) {
    const std::string text = each, value = text.substr(std::min(text.size(), text.find('=') + 1));
    if (begins(text, "--html=")) {
      own.html = value;
    } else if (begins(text, "--compare=")) {
      own.compare = value;
    } else {
      if (begins(text, "--benchmark_context=")) own.facts.push_back(value);
      rest.push_back(each);
    }
  }
  arguments = rest;
  return own;
}

int measure(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  const Own own = own_options(arguments);
  char interleave[] = "--benchmark_enable_random_interleaving=true";
  arguments.insert(arguments.begin() + 1, interleave);
  int count = int(arguments.size());
  benchmark::Initialize(&count, arguments.data(), print_help);
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return program::misused;
  Measured measured;
  if (!own.compare.empty()) measured.earlier = read_earlier(own.compare);
  if (!own.html.empty()) program::expect_writable(own.html);
  program::show_log(program::Log::all);
  std::fprintf(stderr, "measuring bandwidth and peak…\n");
  const Machine machine = measure_machine();
  describe_machine(machine);
  register_operations(machine);
  register_models(machine);
  register_peers(machine);
  BestOfReporter reporter;
  if (benchmark::RunSpecifiedBenchmarks(&reporter) == 0) {
    std::fprintf(stderr, "chord-bench: nothing is called like that; --benchmark_list_tests prints all names\n");
    return program::misused;
  }
  if (reporter.best_seconds().empty()) return 0;  // only listed
  if (program::rewrites_lines()) std::fprintf(stderr, "\r\033[K");
  // Once more: others may have used the machine the first time.
  const Machine again = measure_machine();
  measured.machine = {std::max(machine.bandwidth, again.bandwidth), std::max(machine.peak, again.peak)};
  measured.seconds = reporter.best_seconds();
  print_summary(measured);
  if (!own.html.empty()) {
    chord::write_file(own.html, bench_page(measured, own.facts));
    std::printf("page: %s\n", own.html.c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return program::guarded(measure, argc, argv); }
