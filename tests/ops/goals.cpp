#include "goals.hpp"

#include <algorithm>
#include <cstdio>

namespace ops {
namespace {

using nlohmann::json;

/// What an operation's counts are to be; who is not named has the first.
struct Goal {
  const char* operation;
  double wide;           ///< bytes by accesses of 16, at least
  double each = 1e9;     ///< warp instructions for a row and network, at most
  double scattered = 0;  ///< requests of 4 bytes and many sectors, at most
};
constexpr double most_sectors = 1.1, most_executions = 512, most_passes = 1.05, least_gather_bytes = 28;
// Of a product's values' gradient, the last of four links is alone in its sector: a request for each warp and four
// links of the 4096 rows that are counted.
constexpr Goal goals[] = {{"", 0},
                          {"product", 0.9},
                          {"product_gradient_values", 0.9, 1e9, 4096 / 32 * 12 / 4},
                          {"product_gradient_weights", 0.9},
                          {"fit_panels", 0.9},
                          {"fit_residual", 0.9},
                          {"fit_gradient", 0.9},
                          {"fit_weights", 0.9},
                          {"descent_step", 0.9},
                          {"descent_dots", 0.9},
                          {"mlp_forward", 0.9, 130},
                          {"mlp_backward", 0.9, 270}};

}  // namespace

Sums::Sums(const json& counts) {
  for (const json& kernel : counts["kernels"]) {
    blocks += kernel["blocks"].get<double>();
    threads += kernel["threads"].get<double>();
    for (const auto& [kind, count] : kernel["thread_instructions"].items()) instructions += count.get<double>();
    for (const auto& [kind, count] : kernel["warp_instructions"].items()) warp_instructions += count.get<double>();
    for (const json& access : kernel["accesses"]) {
      if (access["kind"] == "load") executions = std::max(executions, access["executions"].get<double>());
      passes += access["passes"].get<double>();
      ideal_passes += access["ideal_passes"].get<double>();
      if (access["sectors"] > 0) add_global(access);
    }
  }
}

void Sums::add_global(const json& access) {
  constexpr double wide = 16, word = 4;
  const double each = access["bytes"], moved = access["lanes"].get<double>() * each, found = access["sectors"],
               ideal = access["ideal_sectors"];
  sectors += found;
  ideal_sectors += ideal;
  worst = std::max(worst, found / std::max(ideal, 1.0));
  bytes += moved;
  if (each >= wide) wide_bytes += moved;
  if (each <= word) scattered += access["scattered"].get<double>();
  gather_sectors += access["gather_sectors"].get<double>();
  gather_bytes += access["gather_bytes"].get<double>();
}

std::vector<std::string> missed_goals(const std::string& operation, const std::string& type, const Sums& sums,
                                      std::optional<double> each) {
  const Goal* goal =
      std::find_if(std::begin(goals), std::end(goals), [&](const Goal& one) { return one.operation == operation; });
  if (goal == std::end(goals)) goal = goals;
  std::vector<std::string> missed;
  const auto expect = [&](const char* what, double found, double limit, bool good) {
    char text[160];
    std::snprintf(text, sizeof text, "%s %.3g, goal %.3g", what, found, limit);
    if (!good) missed.emplace_back(text);
  };
  const double passes = sums.passes / std::max(sums.ideal_passes, 1.0), wide = sums.wide_bytes / sums.bytes;
  expect("passes through shared memory against ideal", passes, most_passes, passes <= most_passes);
  expect("share of bytes moved by 16", wide, goal->wide, wide >= goal->wide);
  expect("requests of 4 bytes and many sectors", sums.scattered, goal->scattered, sums.scattered <= goal->scattered);
  const double gathers = sums.gather_bytes / std::max(sums.gather_sectors, 1.0);
  expect("useful bytes of a sector in gathers", gathers, least_gather_bytes,
         sums.gather_sectors == 0 || gathers >= least_gather_bytes);
  expect("executions of a load by one thread", sums.executions, most_executions, sums.executions <= most_executions);
  // Networks have two pieces of 16 bytes to four doubles, and twice the instructions.
  if (type == "f64" && each) return missed;
  const double sectors = sums.sectors / std::max(sums.ideal_sectors, 1.0);
  expect("sectors against ideal", sectors, most_sectors, sectors <= most_sectors);
  expect("warp instructions for a row and network", each.value_or(0), goal->each, each.value_or(0) <= goal->each);
  return missed;
}

}  // namespace ops
