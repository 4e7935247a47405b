#include "earlier.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/files.hpp"
#include "common/json.hpp"

namespace {

/// Of Google Benchmark's units; 0 for others.
double seconds_of(const std::string& unit) {
  return unit == "ns" ? 1e-9 : unit == "us" ? 1e-6 : unit == "ms" ? 1e-3 : unit == "s" ? 1 : 0;
}

}  // namespace

std::map<std::string, double> read_earlier(const std::string& path) {
  const std::string text = program::read_file(path);
  const program::Json file = program::parse_json(text);
  if (file.is_discarded()) throw std::runtime_error(path + ": " + program::why_discarded(text));
  const auto list = file.find("benchmarks");
  if (!file.is_object() || list == file.end() || !list->is_array())
    throw std::runtime_error(path + ": holds no list of benchmarks; chord-bench --benchmark_out=FILE makes one");
  std::map<std::string, double> best;
  for (const program::Json& each : *list) {
    if (!each.is_object() || !each.contains("name") || !each["name"].is_string() || !each.contains("real_time") ||
        !each["real_time"].is_number() || !each.contains("time_unit") || !each["time_unit"].is_string() ||
        each.value("run_type", "") != "iteration")
      continue;
    // The name goes on with how it was measured.
    const std::string name = each["name"], own = name.substr(0, name.find("/min_time:"));
    const double seconds = double(each["real_time"]) * seconds_of(each["time_unit"]);
    if (!(seconds > 0)) throw std::runtime_error(path + ": " + name + " has no time");
    const auto [entry, fresh] = best.emplace(own, seconds);
    if (!fresh) entry->second = std::min(entry->second, seconds);
  }
  if (best.empty()) throw std::runtime_error(path + ": none of its benchmarks has a time");
  return best;
}
