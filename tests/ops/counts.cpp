#include "counts.hpp"

#include <dlfcn.h>

#include "commands.hpp"
#include "device/devices.hpp"
#include "goals.hpp"
#include "report.hpp"
#include "tests/standin_reports.hpp"

namespace ops {
namespace {

using nlohmann::json;

std::string ratio(double a, double b, const char* format = "%.2f") { return b > 0 ? printed(format, a / b) : "–"; }

/// What the networks' instructions are counted for; none where there are no networks.
std::optional<double> for_each_row(const Subject& subject, const Variant& variant, const Sums& sums) {
  if (subject.operation != "mlp_forward" && subject.operation != "mlp_backward") return {};
  return sums.warp_instructions / double(variant["rows"] * variant["networks"]);
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
  counts.gathers_ =
      reinterpret_cast<void (*)(unsigned long long, std::size_t)>(dlsym(driver, "chord_standin_count_gathers"));
  if (!counts.reset_ || !counts.read_ || !counts.gathers_) return {};
  return counts;
}

json Counts::read() const {
  std::string text(read_(nullptr, 0) + 1, '\0');
  text.resize(read_(text.data(), text.size()));
  return json::parse(text);
}

int count_command(const Wanted& wanted, const Counts& counts) {
  Table table(1, {"operation", "type", "blocks", "threads", "instructions/thread", "sectors/ideal", "worst access",
                  "bytes by 16", "scattered", "gathers", "executions", "passes/ideal"});
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
      subject.once(*queue, variant, [&](const void* data, std::size_t bytes) { counts.gathers_from(data, bytes); });
      const json counted = counts.read();
      const Sums sums(counted);
      table.add({subject.operation, subject.type, printed("%.0f", sums.blocks), printed("%.0f", sums.threads),
                 ratio(sums.instructions, sums.threads, "%.0f"), ratio(sums.sectors, sums.ideal_sectors),
                 printed("%.2f", sums.worst), ratio(100 * sums.wide_bytes, sums.bytes, "%.0f %%"),
                 printed("%.0f", sums.scattered), ratio(sums.gather_bytes, sums.gather_sectors),
                 printed("%.0f", sums.executions), ratio(sums.passes, sums.ideal_passes)});
      const std::optional<double> each = for_each_row(subject, variant, sums);
      table.add(
          {"  " + variant.text() + (each ? printed("; warp instructions for a row and network: %.1f", *each) : "")});
      if (wanted.goals)
        for (const std::string& missed : missed_goals(subject.operation, subject.type, sums, each)) {
          good = false;
          std::fprintf(stderr, "%s %s: %s\n", subject.operation.c_str(), subject.type.c_str(), missed.c_str());
        }
      all.push_back({{"operation", subject.operation},
                     {"type", subject.type},
                     {"variant", variant.text()},
                     {"scattered", sums.scattered},
                     {"gather_sectors", sums.gather_sectors},
                     {"gather_bytes", sums.gather_bytes},
                     {"counts", counted}});
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
      "bytes moved by accesses of 16;\nrequests of 4 bytes a lane that took 24 sectors or more; useful bytes of a "
      "sector "
      "that gathers of values touch; how often one thread executes a load at most;\npasses through shared "
      "memory.\nRaces: %lu; barriers that not all threads reach: %lu.\n",
      testing::standin_reports("RACE"),
      testing::standin_reports("DIVERGENT BARRIER") + testing::standin_reports("DEADLOCK"));
  print_step(step);
  return good ? 0 : 1;
}

}  // namespace ops
