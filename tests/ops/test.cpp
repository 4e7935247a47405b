// chord-ops test: every operation against its reference.
#include <set>

#include "commands.hpp"
#include "device/devices.hpp"
#include "device/entry_table.hpp"
#include "report.hpp"

namespace ops {
namespace {

/// A device that remembers which entries were launched on it.
class WatchedQueue final : public chord::Queue {
 public:
  explicit WatchedQueue(std::unique_ptr<chord::Queue> queue) : queue_(std::move(queue)), device_(queue_->device()) {}
  const chord::DeviceDescription& device() const override { return device_; }
  /// Every work-group has as many lanes from now on.
  void set_group_lanes(int lanes) {
    device_.group_lanes = lanes;
    device_.units = 1;  // so that no groups are made smaller for more of them
    device_.local_bytes = std::max<std::size_t>(device_.local_bytes, 160 * 1024);  // enough for the largest
  }
  void* allocate(std::size_t bytes) override { return queue_->allocate(bytes); }
  void release(void* memory) noexcept override { queue_->release(memory); }
  void forget(void* memory, std::size_t bytes) override { queue_->forget(memory, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) override { queue_->copy(to, from, bytes); }
  void run(int entry, chord::Grid grid, const void* const* leaves) override {
    launched_.insert(entry);
    queue_->run(entry, grid, leaves);
  }
  void wait() override { queue_->wait(); }

  /// Entries of the device that nobody has launched.
  std::vector<std::string> left_out(const Wanted& wanted) const {
    std::vector<std::string> names;
    const auto& table = chord::entry_table();
    for (std::size_t i = 0; i < table.size(); ++i)
      if (table[i].is_for(device()) && wanted.has(table[i].operation) && !launched_.count(int(i)))
        names.push_back(table[i].name);
    return names;
  }

 private:
  std::unique_ptr<chord::Queue> queue_;
  chord::DeviceDescription device_;
  std::set<int> launched_;
};

struct Tally {
  std::size_t variants = 0, failed = 0;
  double worst = 0;  // error / allowed
  double seconds = 0;
  std::vector<std::string> problems;
};

Tally test_subject(const Subject& subject, chord::Queue& queue, std::size_t every) {
  constexpr std::size_t shown = 3;
  Tally tally;
  const auto start = std::chrono::steady_clock::now();
  for (const Variant& variant : sample(subject.variants(), every)) {
    const Outcome outcome = subject.test(queue, variant);
    ++tally.variants;
    if (outcome.allowed > 0) tally.worst = std::max(tally.worst, outcome.error / outcome.allowed);
    if (!outcome.problem.empty() && ++tally.failed <= shown)
      tally.problems.push_back(variant.text() + ": " + outcome.problem);
  }
  tally.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return tally;
}

/// Kernels of work-groups with groups of all sizes: right, and the same bits.
Tally test_groups(const Subject& subject, WatchedQueue& queue, std::size_t every) {
  Tally tally;
  const auto start = std::chrono::steady_clock::now();
  for (const Variant& variant : sample(subject.variants(), every)) {
    std::size_t bits = 0;
    for (const int lanes : {64, 128, 256}) {
      queue.set_group_lanes(lanes);
      Outcome outcome = subject.test(queue, variant);
      if (lanes == 64) bits = outcome.bits;
      if (outcome.problem.empty() && outcome.bits != bits) outcome.problem = "other bits than with 64 lanes";
      ++tally.variants;
      if (outcome.allowed > 0) tally.worst = std::max(tally.worst, outcome.error / outcome.allowed);
      if (!outcome.problem.empty() && ++tally.failed <= 3)
        tally.problems.push_back(variant.text() + ", " + std::to_string(lanes) + " lanes: " + outcome.problem);
    }
  }
  tally.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return tally;
}

}  // namespace

int test_command(const Wanted& wanted) {
  Table table(3, {"operation", "type", "device", "variants", "failed", "error / allowed", "seconds"});
  nlohmann::json json = nlohmann::json::array();
  std::vector<std::string> problems;
  std::size_t variants = 0, failed = 0;
  double seconds = 0;
  Progress progress(wanted.devices.size() * subjects().size());
  for (const chord::DeviceDescription& device : wanted.devices) {
    WatchedQueue queue(chord::open_device(device.selector));
    for (const Subject& subject : subjects()) {
      const std::string name = subject.operation + " " + subject.type + " on " + device.selector;
      progress.step(name);
      const int entry = entry_for(subject, device);
      if (!wanted.has(subject.operation) || entry < 0) continue;
      if (wanted.groups && !chord::entry_table()[std::size_t(entry)].group) continue;
      const Tally tally =
          wanted.groups ? test_groups(subject, queue, wanted.every) : test_subject(subject, queue, wanted.every);
      for (const std::string& each : tally.problems) problems.push_back(name + ", " + each);
      variants += tally.variants;
      failed += tally.failed;
      seconds += tally.seconds;
      table.add({subject.operation, subject.type, device.selector, std::to_string(tally.variants),
                 std::to_string(tally.failed), printed("%.2f", tally.worst), printed("%.2f", tally.seconds)});
      json.push_back({{"operation", subject.operation},
                      {"type", subject.type},
                      {"device", device.selector},
                      {"variants", tally.variants},
                      {"failed", tally.failed},
                      {"error", tally.worst},
                      {"seconds", tally.seconds},
                      {"problems", tally.problems}});
    }
    for (const std::string& entry : wanted.groups ? std::vector<std::string>() : queue.left_out(wanted)) {
      problems.push_back(entry + " was never launched on " + device.selector);
      ++failed;
    }
  }
  progress.clear();
  if (wanted.json) {
    std::puts(nlohmann::json{{"results", json}, {"problems", problems}, {"variants", variants}, {"failed", failed}}
                  .dump(2)
                  .c_str());
  } else {
    table.print();
    for (const std::string& each : problems) std::printf("\n%s", each.c_str());
    std::printf("\n%zu variants, %zu failed, %.1f s\n", variants, failed, seconds);
  }
  return failed ? 1 : 0;
}

}  // namespace ops
