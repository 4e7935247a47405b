#include "summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "common/table.hpp"
#include "work.hpp"

// Debian's Google Benchmark is built with its checks, and says that this may affect timings. It does not: the loop that
// is timed is in its header, and compiled with this program.
bool BestOfReporter::ReportContext(const Context& context) {
  std::ostringstream text;
  PrintBasicContext(&text, context);
  std::istringstream lines(text.str());
  for (std::string line; std::getline(lines, line);)
    if (line.find("Library was built as DEBUG") == std::string::npos) GetErrorStream() << line << "\n";
  return true;
}

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

std::string cell(double value, const char* format = "%.2f") {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return std::isnan(value) ? "–" : text;
}

std::vector<std::string> row_of(const Measured& measured, const Work& work, double seconds) {
  const Times& times = measured.seconds;
  const double share = roofline_seconds(measured.machine, work.operations, work.bytes) / seconds;
  const bool product = work.operation == "product", chain = work.operation == "chain", host = work.runner == "host";
  std::vector<std::string> row = {work.operation + ", " + work.runner,
                                  std::to_string(work.n),
                                  std::to_string(work.d),
                                  std::to_string(work.batch),
                                  cell(seconds * 1e6, "%.1f"),
                                  cell(work.operations / seconds * 1e-9, "%.1f"),
                                  cell(work.bytes / seconds * 1e-9, "%.1f"),
                                  cell(100 * share, "%.0f%%"),
                                  cell(host ? NAN : time_of(times, work, work.operation, "host") / seconds),
                                  cell(product ? time_of(times, work, "product", "oneMKL sparse") / seconds : NAN),
                                  cell(chain ? time_of(times, work, "factor by factor", work.runner) / seconds : NAN)};
  if (!measured.earlier.empty())
    row.push_back(cell(time_of(measured.earlier, work, work.operation, work.runner) / seconds));
  return row;
}

}  // namespace

void print_summary(const Measured& measured) {
  std::printf("\nBest of all repetitions. Roofline: %.1f GB/s, %.0f GF/s.\nRatios above 1 mean that ours is faster.\n",
              measured.machine.bandwidth * 1e-9, measured.machine.peak * 1e-9);
  program::Table table{
      {"operation", "N", "D", "batch", "µs", "GF/s", "GB/s", "roofline", "of host", "vs peer", "vs steps"}, {}};
  if (!measured.earlier.empty()) table.titles.push_back("vs before");
  for (const Work& work : registered_work()) {
    const auto found = measured.seconds.find(name_of(work));
    if (found != measured.seconds.end()) table.rows.push_back(row_of(measured, work, found->second));
  }
  std::fputs(program::to_text(table).c_str(), stdout);
}
