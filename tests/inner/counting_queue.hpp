// A queue that says it is a large GPU, does nothing and counts: commands, threads and work of every launch, waits. Its
// memory is addresses alone, so that models of any size fit.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>

#include "device/entry_table.hpp"

namespace testing {

/// Of all launches of an operation in a type.
struct LaunchCount {
  int launches = 0;
  bool group = false;
  std::size_t least_threads = SIZE_MAX;  ///< of a launch that is large, by the records' count of its work
  double flop = 0, values = 0;           ///< of the largest launch; values: that it reads or writes at least
};

struct Commands {
  std::map<std::string, LaunchCount> kernels;  ///< by name, without the kind of device
  int launches = 0, copies = 0, uploads = 0, read_backs = 0, waits = 0, replays = 0;
  int all() const { return launches + copies + uploads + read_backs; }
};

/// The work of a launch, from what reaches a queue.
inline chord::kernels::Work work_of(int entry, const void* const* leaves) {
  using Function = chord::kernels::Work (*)(const void* const*);
  static const std::vector<Function> table = []<class... Each>(chord::kernels::List<Each...>) {
    return std::vector<Function>{[](const void* const* all) {
      return Each::Operation::template work<typename Each::T>(
          chord::kernels::from_leaves<typename Each::Arguments>(all));
    }...};
  }(chord::kernels::Entries());
  return table[std::size_t(entry)](leaves);
}

class CountingQueue final : public chord::Queue {
 public:
  /// Large launches are those that ought to fill the GPU.
  static constexpr double large_flop = 1e6, threads_of_gpu = 27648;

  CountingQueue(std::shared_ptr<Commands> commands, bool recording)
      : commands_(std::move(commands)), recording_(recording) {
    device_.selector = device_.name = device_.backend = "counting";
    device_.kind = chord::DeviceKind::gpu;
    device_.host_readable = false;
    device_.units = 108;
    device_.memory_bytes = std::size_t(40) << 30;
  }

  const chord::DeviceDescription& device() const override { return device_; }
  void* allocate(std::size_t bytes) override {
    char* place = next_;
    next_ += (bytes + 511) / 256 * 256;
    return place;
  }
  void release(void*) noexcept override {}
  void copy(void* to, const void*, std::size_t bytes) override {
    if (of_device(to)) {
      ++commands_->copies;
    } else {
      // Some sums that are positive, as those of squares are.
      ++commands_->read_backs;
      constexpr double one = 1;
      for (std::size_t i = 0; i + sizeof one <= bytes; i += sizeof one)
        std::memcpy(static_cast<char*>(to) + i, &one, sizeof one);
    }
  }
  void upload(void*, const void*, std::size_t) override { ++commands_->uploads; }
  void run(int entry, chord::Grid grid, const void* const* leaves) override {
    const chord::EntryDescription& description = chord::entry_table()[std::size_t(entry)];
    LaunchCount& count = commands_->kernels[description.operation + "_" + description.type];
    const chord::kernels::Work work = work_of(entry, leaves);
    const double values = work.bytes / (description.float64 ? sizeof(double) : sizeof(float));
    const std::size_t threads = grid.points() * (description.group ? grid.group_lanes : 1);
    ++commands_->launches;
    ++count.launches;
    count.group = description.group;
    count.flop = std::max(count.flop, work.flop);
    count.values = std::max(count.values, values);
    if (work.flop >= large_flop || (writes_what_it_reads(description.operation) && values >= 2 * threads_of_gpu))
      count.least_threads = std::min(count.least_threads, threads);
  }
  void wait() override { ++commands_->waits; }
  bool can_record() const override { return recording_; }
  void begin_recording() override { before_ = *commands_; }
  std::unique_ptr<chord::Recording> end_recording() override {
    *commands_ = before_;
    return std::make_unique<Nothing>();
  }
  void replay(const chord::Recording&) override { ++commands_->replays; }

 private:
  /// Whether the values of a launch tell how many results it has; sums have few.
  static bool writes_what_it_reads(const std::string& operation) {
    const auto names = {"adam",    "add_rows",    "average_rows", "copy_strided",
                        "dropout", "embed_reals", "embed_tokens", "fill_strided"};
    return std::find(names.begin(), names.end(), operation) != names.end();
  }

  struct Nothing final : chord::Recording {};
  static constexpr std::uintptr_t first_address = std::uintptr_t(1) << 44;
  static bool of_device(const void* place) {
    return reinterpret_cast<std::uintptr_t>(place) >= first_address &&
           reinterpret_cast<std::uintptr_t>(place) < 2 * first_address;
  }

  chord::DeviceDescription device_;
  std::shared_ptr<Commands> commands_;
  Commands before_;
  bool recording_;
  char* next_ = reinterpret_cast<char*>(first_address);
};

}  // namespace testing
