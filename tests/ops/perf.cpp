// chord-ops perf: a benchmark, never a test. Rates come from the records' own count of work.
#include "bench/machine.hpp"
#include "commands.hpp"
#include "counts.hpp"
#include "device/devices.hpp"
#include "report.hpp"

namespace ops {
namespace {

std::string adaptive(double seconds) {
  return seconds < 1e-3 ? printed("%.1f µs", seconds * 1e6) : printed("%.2f ms", seconds * 1e3);
}

}  // namespace

int perf_command(const Wanted& wanted) {
  const auto is_cuda = [](const chord::DeviceDescription& device) { return device.backend == "cuda"; };
  const auto counts = Counts::of_standin();
  if (counts && std::all_of(wanted.devices.begin(), wanted.devices.end(), is_cuda))
    return wanted.models.empty() ? count_command(wanted, *counts) : model_command(wanted, *counts);
  if (!wanted.models.empty() || wanted.goals)
    throw std::runtime_error("--model and --goals need the counts of the stand-in (--device=cuda:0)");
  const Machine machine = measure_machine();
  Table table(1, {"operation", "type", "device", "time", "GFLOP/s", "GB/s", "roofline"});
  nlohmann::json json = nlohmann::json::array();
  Progress progress(wanted.devices.size() * subjects().size());
  for (const chord::DeviceDescription& device : wanted.devices) {
    const auto queue = chord::open_device(device.selector);
    for (const Subject& subject : subjects()) {
      progress.step(subject.operation + " " + subject.type + " on " + device.selector);
      if (!wanted.has(subject.operation) || entry_for(subject, device) < 0) continue;
      for (const Variant& variant : subject.realistic()) {
        const Timing timing = subject.time(*queue, variant);
        // Doubles are half as many to a register.
        const double peak = subject.type == "f64" ? machine.peak / 2 : machine.peak;
        const double share =
            roofline_seconds({machine.bandwidth, peak}, timing.work.flop, timing.work.bytes) / timing.seconds;
        const double gflops = timing.work.flop / timing.seconds * 1e-9,
                     gbytes = timing.work.bytes / timing.seconds * 1e-9;
        table.add({subject.operation, subject.type, device.selector, adaptive(timing.seconds), printed("%.1f", gflops),
                   printed("%.1f", gbytes), printed("%.0f %%", 100 * share)});
        table.add({"  " + variant.text()});
        json.push_back({{"operation", subject.operation},
                        {"type", subject.type},
                        {"device", device.selector},
                        {"variant", variant.text()},
                        {"seconds", timing.seconds},
                        {"gflops", gflops},
                        {"gbytes", gbytes},
                        {"roofline", share}});
      }
    }
  }
  progress.clear();
  if (wanted.json) {
    std::puts(
        nlohmann::json{{"results", json}, {"bandwidth", machine.bandwidth}, {"peak", machine.peak}}.dump(2).c_str());
    return 0;
  }
  table.print();
  std::printf("\nRoofline of the host: %.1f GB/s, %.1f GFLOP/s in float32. What fits in a cache can be above it.\n",
              machine.bandwidth * 1e-9, machine.peak * 1e-9);
  return 0;
}

}  // namespace ops
