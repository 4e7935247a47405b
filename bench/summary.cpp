#include "summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "work.hpp"

void BestOfReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.error_occurred || run.run_type != Run::RT_Iteration) continue;
    const double seconds = run.real_accumulated_time / double(run.iterations);
    const auto [entry, fresh] = best_.emplace(run.run_name.function_name, seconds);
    if (!fresh) entry->second = std::min(entry->second, seconds);
  }
}

namespace {

using Times = std::map<std::string, double>;

/// The time of the same work under another operation or runner; NaN where it was not run.
double time_of(const Times& times, Work work, const std::string& operation, const std::string& runner) {
  work.operation = operation;
  work.runner = runner;
  const auto found = times.find(name_of(work));
  return found == times.end() ? NAN : found->second;
}

void cell(double value, const char* format) {
  if (std::isnan(value))
    std::printf(" %9s", "–");
  else
    std::printf(format, value);
}

}  // namespace

void print_summary(const Machine& machine, const Times& times) {
  std::printf("\nBest of all repetitions. Roofline: %.1f GB/s, %.0f GF/s. Ratios above 1 mean that ours is faster.\n",
              machine.bandwidth * 1e-9, machine.peak * 1e-9);
  std::printf("%-24s %-14s %7s %4s %6s %9s %8s %8s %9s %9s %9s %9s\n", "operation", "runner", "N", "D", "batch", "µs",
              "GF/s", "GB/s", "roofline", "of host", "vs peer", "vs steps");
  for (const Work& work : registered_work()) {
    const auto found = times.find(name_of(work));
    if (found == times.end()) continue;
    const double seconds = found->second;
    std::printf("%-24s %-14s %7lld %4lld %6lld %9.1f %8.1f %8.1f", work.operation.c_str(), work.runner.c_str(),
                (long long)work.n, (long long)work.d, (long long)work.batch, seconds * 1e6,
                work.operations / seconds * 1e-9, work.bytes / seconds * 1e-9);
    cell(100 * roofline_seconds(machine, work.operations, work.bytes) / seconds, " %8.0f%%");
    cell(work.runner == "host" ? NAN : time_of(times, work, work.operation, "host") / seconds, " %9.2f");
    cell(work.operation == "product" ? time_of(times, work, "product", "oneMKL sparse") / seconds : NAN, " %9.2f");
    cell(work.operation == "chain" ? time_of(times, work, "factor by factor", work.runner) / seconds : NAN, " %9.2f");
    std::printf("\n");
  }
}
