#include "counts.hpp"

#include <dlfcn.h>

#include "commands.hpp"
#include "device/devices.hpp"
#include "report.hpp"

namespace ops {
namespace {

using nlohmann::json;

/// Sums of what an operation's kernel did.
struct Sums {
  double blocks = 0, threads = 0, instructions = 0;
  double requests = 0, sectors = 0, ideal_sectors = 0;
  double shared_requests = 0, passes = 0;
};

Sums sums_of(const json& counts) {
  Sums sums;
  for (const json& kernel : counts["kernels"]) {
    sums.blocks += kernel["blocks"].get<double>();
    sums.threads += kernel["threads"].get<double>();
    for (const auto& [kind, count] : kernel["thread_instructions"].items()) sums.instructions += count.get<double>();
    for (const json& access : kernel["accesses"]) {
      const double requests = access["requests"];
      (access["passes"] > 0 ? sums.shared_requests : sums.requests) += requests;
      sums.sectors += access["sectors"].get<double>();
      sums.ideal_sectors += access["ideal_sectors"].get<double>();
      sums.passes += access["passes"].get<double>();
    }
  }
  return sums;
}

std::string ratio(double a, double b) { return b > 0 ? printed("%.1f", a / b) : "–"; }

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
  Table table(1, {"operation", "type", "blocks", "threads", "instructions/thread", "sectors/request", "ideal",
                  "passes/request in shared memory"});
  json all = json::array();
  Progress progress(wanted.devices.size() * subjects().size());
  for (const chord::DeviceDescription& device : wanted.devices) {
    const auto queue = chord::open_device(device.selector);
    for (const Subject& subject : subjects()) {
      progress.step(subject.operation + " " + subject.type + " on " + device.selector);
      if (!wanted.has(subject.operation) || entry_for(subject, device) < 0) continue;
      const Variant variant = subject.realistic().front();
      counts.reset();
      subject.once(*queue, variant);
      const json counted = counts.read();
      const Sums sums = sums_of(counted);
      table.add({subject.operation, subject.type, printed("%.0f", sums.blocks), printed("%.0f", sums.threads),
                 ratio(sums.instructions, sums.threads), ratio(sums.sectors, sums.requests),
                 ratio(sums.ideal_sectors, sums.requests), ratio(sums.passes, sums.shared_requests)});
      table.add({"  " + variant.text()});
      all.push_back(
          {{"operation", subject.operation}, {"type", subject.type}, {"variant", variant.text()}, {"counts", counted}});
    }
  }
  progress.clear();
  const json step = count_training_step(wanted.devices.front().selector.c_str(), counts);
  if (wanted.json) {
    std::puts(json{{"operations", all}, {"training_step", step}}.dump(2).c_str());
    return 0;
  }
  std::puts("Counted by the stand-in for the NVIDIA driver; it has no speed.\n");
  table.print();
  print_step(step);
  return 0;
}

}  // namespace ops
