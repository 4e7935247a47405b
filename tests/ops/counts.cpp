#include "counts.hpp"

#include <dlfcn.h>

#include "commands.hpp"
#include "device/devices.hpp"
#include "report.hpp"
#include "tests/standin_reports.hpp"

namespace ops {
namespace {

using nlohmann::json;

/// Sums of what an operation's kernels did, and the worst of their accesses.
struct Sums {
  double blocks = 0, threads = 0, instructions = 0, warp_instructions = 0;
  double sectors = 0, ideal_sectors = 0, worst = 0;  ///< worst: of an instruction, how much more than ideal
  double bytes = 0, wide_bytes = 0;                  ///< wide: by accesses of 16 bytes
  double executions = 0;                             ///< of a load by one thread, at most
  int scattered = 0;                                 ///< instructions of 4 bytes whose lanes lie far apart
  double passes = 0, ideal_passes = 0;
};

constexpr double many_sectors = 24, wide = 16;

void add_global(const json& access, Sums& sums) {
  const double sectors = access["sectors"], ideal = access["ideal_sectors"], bytes = access["bytes"];
  const double moved = access["lanes"].get<double>() * bytes;
  sums.sectors += sectors;
  sums.ideal_sectors += ideal;
  sums.worst = std::max(sums.worst, sectors / std::max(ideal, 1.0));
  sums.bytes += moved;
  if (bytes >= wide) sums.wide_bytes += moved;
  if (bytes <= 4 && access["most_sectors"] >= many_sectors) ++sums.scattered;
}

Sums sums_of(const json& counts) {
  Sums sums;
  for (const json& kernel : counts["kernels"]) {
    sums.blocks += kernel["blocks"].get<double>();
    sums.threads += kernel["threads"].get<double>();
    for (const auto& [kind, count] : kernel["thread_instructions"].items()) sums.instructions += count.get<double>();
    for (const auto& [kind, count] : kernel["warp_instructions"].items()) sums.warp_instructions += count.get<double>();
    for (const json& access : kernel["accesses"]) {
      if (access["kind"] == "load") sums.executions = std::max(sums.executions, access["executions"].get<double>());
      sums.passes += access["passes"].get<double>();
      sums.ideal_passes += access["ideal_passes"].get<double>();
      if (access["sectors"] > 0) add_global(access, sums);
    }
  }
  return sums;
}

std::string ratio(double a, double b, const char* format = "%.2f") { return b > 0 ? printed(format, a / b) : "–"; }

/// What the networks' instructions are counted for; none where there are no networks.
std::optional<double> for_each_row(const Subject& subject, const Variant& variant, const Sums& sums) {
  if (subject.operation != "mlp_forward" && subject.operation != "mlp_backward") return {};
  return sums.warp_instructions / double(variant["rows"] * variant["networks"]);
}

/// What an operation's counts are to be; who is not named has the first.
struct Goal {
  const char* operation;
  double wide;        ///< bytes by accesses of 16, at least
  double each = 1e9;  ///< warp instructions for a row and network, at most
  int scattered = 0;  ///< requests of 4 bytes and many sectors, at most
};
constexpr double most_sectors = 1.1, most_executions = 512, most_passes = 1.05;
constexpr Goal goals[] = {{"", 0},
                          {"product", 0.9},
                          {"product_gradient_values", 0.9, 1e9, 1},  // the last of four links is alone
                          {"product_gradient_weights", 0.9},
                          {"mlp_forward", 0.9, 130},
                          {"mlp_backward", 0.9, 270}};

/// Says what is missed; whether all is well.
bool reaches_goals(const Subject& subject, const Sums& sums, std::optional<double> each) {
  const Goal* goal = std::find_if(std::begin(goals), std::end(goals),
                                  [&](const Goal& one) { return one.operation == subject.operation; });
  if (goal == std::end(goals)) goal = goals;
  bool all = true;
  const auto expect = [&](const char* what, double found, double limit, bool good) {
    if (good) return;
    all = false;
    std::fprintf(stderr, "%s: %s %.3g, goal %.3g\n", subject.operation.c_str(), what, found, limit);
  };
  const double sectors = sums.sectors / std::max(sums.ideal_sectors, 1.0), wide = sums.wide_bytes / sums.bytes;
  expect("sectors against ideal", sectors, most_sectors, sectors <= most_sectors);
  expect("share of bytes moved by 16", wide, goal->wide, wide >= goal->wide);
  expect("requests of 4 bytes and many sectors", sums.scattered, goal->scattered, sums.scattered <= goal->scattered);
  expect("executions of a load by one thread", sums.executions, most_executions, sums.executions <= most_executions);
  const double passes = sums.passes / std::max(sums.ideal_passes, 1.0);
  expect("passes through shared memory against ideal", passes, most_passes, passes <= most_passes);
  expect("warp instructions for a row and network", each.value_or(0), goal->each, each.value_or(0) <= goal->each);
  return all;
}

void print_step(const json& step) {
  const auto bytes = [&](const char* direction) {
    const json& copies = step["copies"][direction];
    return chord::text(copies["count"].get<int>(), " copies of ", copies["bytes"].get<long>(), " bytes");
  };
  std::printf(
      "\nA training step (adding, N = 128, batch 40, loss not asked for): graphs launched %d, kernels in them %d, "
      "waits "
      "%d; to the device %s, back %s, on it %s.\n",
      step["graph_launches"].get<int>(), step["launches"].get<int>(), step["waits"].get<int>(),
      bytes("to_device").c_str(), bytes("to_host").c_str(), bytes("on_device").c_str());
}

}  // namespace

std::optional<Counts> Counts::of_standin() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (!driver) return {};
  Counts counts;
  counts.reset_ = reinterpret_cast<void (*)()>(dlsym(driver, "chord_standin_reset_counts"));
  counts.read_ = reinterpret_cast<std::size_t (*)(char*, std::size_t)>(dlsym(driver, "chord_standin_counts_json"));
  if (!counts.reset_ || !counts.read_) return {};
  return counts;
}

json Counts::read() const {
  std::string text(read_(nullptr, 0) + 1, '\0');
  text.resize(read_(text.data(), text.size()));
  return json::parse(text);
}

int count_command(const Wanted& wanted, const Counts& counts) {
  Table table(1, {"operation", "type", "blocks", "threads", "instructions/thread", "sectors/ideal", "worst access",
                  "bytes by 16", "scattered", "executions", "passes/ideal"});
  json all = json::array();
  bool good = true;
  Progress progress(wanted.devices.size() * subjects().size());
  for (const chord::DeviceDescription& device : wanted.devices) {
    const auto queue = chord::open_device(device.selector);
    for (const Subject& subject : subjects()) {
      progress.step(subject.operation + " " + subject.type + " on " + device.selector);
      if (!wanted.has(subject.operation) || entry_for(subject, device) < 0) continue;
      const Variant variant = subject.counted();
      counts.reset();
      subject.once(*queue, variant);
      const json counted = counts.read();
      const Sums sums = sums_of(counted);
      table.add({subject.operation, subject.type, printed("%.0f", sums.blocks), printed("%.0f", sums.threads),
                 ratio(sums.instructions, sums.threads, "%.0f"), ratio(sums.sectors, sums.ideal_sectors),
                 printed("%.2f", sums.worst), ratio(100 * sums.wide_bytes, sums.bytes, "%.0f %%"),
                 std::to_string(sums.scattered), printed("%.0f", sums.executions),
                 ratio(sums.passes, sums.ideal_passes)});
      const std::optional<double> each = for_each_row(subject, variant, sums);
      table.add(
          {"  " + variant.text() + (each ? printed("; warp instructions for a row and network: %.1f", *each) : "")});
      if (wanted.goals && subject.type == "f32") good &= reaches_goals(subject, sums, each);
      all.push_back(
          {{"operation", subject.operation}, {"type", subject.type}, {"variant", variant.text()}, {"counts", counted}});
    }
  }
  progress.clear();
  const TrainingStep short_one{"adding, N = 128", R"({"preset":"adding","length":128})", 40, 128, false};
  const json step = count_training_step(wanted.devices.front().selector.c_str(), short_one, counts);
  if (wanted.json) {
    std::puts(json{{"operations", all}, {"training_step", step}}.dump(2).c_str());
    return good ? 0 : 1;
  }
  std::puts("Counted by the stand-in for the NVIDIA driver; it has no speed.\n");
  table.print();
  std::printf(
      "\nSectors of global memory, of all requests and of the worst instruction's, against lanes that lie side by "
      "side; "
      "bytes moved by accesses of 16;\ninstructions whose 4 bytes a lane took 24 sectors or more; how often one thread "
      "executes a load at most; passes through shared memory.\nRaces: %lu; barriers that not all threads reach: %lu.\n",
      testing::standin_reports("RACE"),
      testing::standin_reports("DIVERGENT BARRIER") + testing::standin_reports("DEADLOCK"));
  print_step(step);
  return good ? 0 : 1;
}

}  // namespace ops
