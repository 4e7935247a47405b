#include "device/pretend/pretend_backend.hpp"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "common/error.hpp"
#include "device/entry_table.hpp"
#include "device/pretend/pretend_kernels.hpp"
#include "device/pretend/pretend_memory.hpp"

namespace chord {
namespace {

constexpr std::size_t memory_bytes = std::size_t(2) << 30;

using Work = std::function<void()>;

/// Shared with the replays that are pending, which it may not outlive.
struct PretendRecording final : Recording {
  explicit PretendRecording(std::vector<Work> noted)
      : work(std::make_shared<const std::vector<Work>>(std::move(noted))) {}
  std::shared_ptr<const std::vector<Work>> work;
};

/// Submitting takes notes, waiting works. Whatever the pending work points to has to be there still when it is done:
/// host buffers, as with any asynchronous copy, and blocks of the device.
class PretendQueue final : public Queue {
 public:
  explicit PretendQueue(DeviceDescription device) : device_(std::move(device)), memory_(device_.memory_bytes) {}

  const DeviceDescription& device() const override { return device_; }

  void* allocate(std::size_t bytes) override {
    expect_no_recording("allocated");
    const std::lock_guard working(working_);
    return memory_.allocate(bytes);
  }

  // At once, without waiting: cudaFree would wait for all work, sycl::free for none, and the pool promises to free only
  // what no work uses. Other work may well be pending (another thread's), so only work on this very block fails.
  void release(void* memory) noexcept override {
    const std::lock_guard working(working_);
    memory_.release(memory);
  }

  void forget(void* memory, std::size_t bytes) override {
    later([=] { std::memset(memory, PretendMemory::poison, bytes); });
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;
    if (recording() && !(memory_.has(to) && memory_.has(from)))
      fail(Status::internal, "a copy from or to the host cannot be recorded");
    later([=, this] {
      expect_no_lost_block(to, bytes);
      expect_no_lost_block(from, bytes);
      std::memcpy(to, from, bytes);
    });
  }

  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;
    expect_no_recording("uploaded");
    const auto* begin = static_cast<const char*>(from);
    later([=, this, aside = std::vector<char>(begin, begin + bytes)] {
      expect_no_lost_block(to, bytes);
      std::memcpy(to, aside.data(), bytes);
    });
  }

  void run(int entry, Grid grid, const void* const* leaves) override {
    later([=, this, launch = pretend_launch(entry, grid, leaves)] {
      for (const void* pointer : launch.pointers)
        if (pointer && !memory_.owns(pointer, 0))
          fail(Status::device_failure, entry_table()[entry].name,
               " was given an address that is no memory of the device");
      launch.run();
    });
  }

  // What comes after a failure is not done: it would work on results that are not there.
  void wait() override {
    expect_no_recording("waited for");
    const std::lock_guard working(working_);
    const std::vector<Work> work = take_pending();
    if (work.empty()) return;
    const PretendMemory::Unlocked unlocked(memory_);
    for (const Work& each : work) each();
    memory_.expect_gaps_untouched();
  }

  bool can_record() const override { return true; }

  void begin_recording() override {
    expect_no_recording("recorded");
    const std::lock_guard lock(submitting_);
    recording_.emplace();
  }

  std::unique_ptr<Recording> end_recording() override {
    const std::lock_guard lock(submitting_);
    if (!recording_) fail(Status::internal, "a recording ends that has not begun");
    std::vector<Work> noted = std::move(*recording_);
    recording_.reset();
    return std::make_unique<PretendRecording>(std::move(noted));
  }

  void replay(const Recording& recording) override {
    later([work = static_cast<const PretendRecording&>(recording).work] {
      for (const Work& each : *work) each();
    });
  }

 private:
  void later(Work work) {
    const std::lock_guard lock(submitting_);
    (recording_ ? *recording_ : pending_).push_back(std::move(work));
  }

  bool recording() {
    const std::lock_guard lock(submitting_);
    return recording_.has_value();
  }

  void expect_no_recording(const char* what) {
    if (recording()) fail(Status::internal, "nothing can be ", what, " while work is recorded");
  }

  std::vector<Work> take_pending() {
    const std::lock_guard lock(submitting_);
    return std::exchange(pending_, {});
  }

  void expect_no_lost_block(const void* place, std::size_t bytes) const {
    if (memory_.has(place) && !memory_.owns(place, bytes))
      fail(Status::device_failure, "a copy of ", bytes, " bytes touches memory of the device that nobody owns");
  }

  DeviceDescription device_;
  std::mutex working_;  // held by whoever waits, or changes the blocks: the device does one thing at a time
  PretendMemory memory_;
  std::mutex submitting_;  // held for moments only: threads go on submitting while another waits
  std::vector<Work> pending_;
  std::optional<std::vector<Work>> recording_;  // of the work noted since begin_recording
};

class PretendBackend final : public Backend {
 public:
  std::string name() const override { return "pretend"; }
  std::string description() const override { return "the host as a GPU, for tests"; }
  std::vector<DeviceDescription> devices() const override {
    DeviceDescription gpu;
    gpu.selector = "pretend:0";
    gpu.name = "pretend GPU";
    gpu.kind = DeviceKind::gpu;
    gpu.backend = name();
    gpu.memory_bytes = memory_bytes;
    gpu.host_readable = false;
    gpu.local_bytes = 64 * 1024;  // which all but old ones have
    return {gpu};
  }
  std::unique_ptr<Queue> open(const DeviceDescription& device) override {
    return std::make_unique<PretendQueue>(device);
  }
};

}  // namespace

std::unique_ptr<Backend> open_pretend_backend() {
  const char* wanted = std::getenv("CHORD_PRETEND_GPU");
  return wanted && std::string(wanted) == "1" ? std::make_unique<PretendBackend>() : nullptr;
}

}  // namespace chord
