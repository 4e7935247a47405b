// chord-bench: Google Benchmark with the machine's limits measured first and a summary of ratios last.
// All options of Google Benchmark work, e.g. --benchmark_filter=product; repetitions are interleaved, because machines
// are shared and noisy.
#include <unistd.h>

#include <algorithm>
#include <chord/chord.hpp>
#include <cstdio>

#include "summary.hpp"
#include "work.hpp"

namespace {

std::vector<Work> all_work;

/// Interleaved repetitions are reported at the end; until then a terminal shows what is running.
void show_progress(const std::string& name) {
  static int runs = 0;
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%d runs; %s", ++runs, name.c_str());
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

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  char interleave[] = "--benchmark_enable_random_interleaving=true";
  arguments.insert(arguments.begin() + 1, interleave);
  int count = int(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;
  chord::check(chord_set_log_callback(
      [](int32_t, const char* message, void*) { std::fprintf(stderr, "%s\n", message); }, nullptr));
  try {
    std::fprintf(stderr, "measuring bandwidth and peak…\n");
    Machine machine = measure_machine();
    benchmark::AddCustomContext("stream bandwidth, GB/s", std::to_string(machine.bandwidth * 1e-9));
    benchmark::AddCustomContext("multiply-add peak, GF/s", std::to_string(machine.peak * 1e-9));
    for (const auto& device : chord::devices())
      benchmark::AddCustomContext(std::string("device ") + device.selector,
                                  std::string(device.name) + ", " + device.backend);
    register_operations(machine);
    register_models(machine);
    register_peers(machine);
    BestOfReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K");
    // Once more: others may have used the machine the first time.
    const Machine again = measure_machine();
    machine = {std::max(machine.bandwidth, again.bandwidth), std::max(machine.peak, again.peak)};
    print_summary(machine, reporter.best_seconds());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "chord-bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
