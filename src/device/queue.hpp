// What every backend provides: an in-order queue with memory, copies and kernel launches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "kernels/grid.hpp"

namespace chord {

enum class DeviceKind { host, cpu, gpu, other };

struct DeviceDescription {
  std::string selector;  ///< names this very device, e.g. "host", "opencl:0"
  std::string name;
  DeviceKind kind = DeviceKind::host;
  std::string backend;  ///< the name of the backend that found it
  std::size_t memory_bytes = 0;
  int units = 1;              ///< cores, or multiprocessors
  bool host_readable = true;  ///< its memory can be touched by the host between waits, and host memory by its kernels
  bool has_float64 = true;
  int group_lanes = 128;                ///< GPUs: lanes of a work-group at most: 64, 128 or 256
  std::size_t local_bytes = 48 * 1024;  ///< GPUs: of the memory that a work-group's lanes share at most

  /// True for few threads with caches: blocks of registers, whole chains per worker. Otherwise a thread per lane.
  bool cpu_like() const { return kind == DeviceKind::host || kind == DeviceKind::cpu; }

  /// Local memory that a group may take: with more a GPU's multiprocessor has one group at a time, or none.
  std::size_t shared_local_bytes() const { return std::min<std::size_t>(local_bytes, 48 * 1024); }
};

/// Work that a queue has noted and can do again: see Queue::begin_recording. It may go before replays of it are done.
class Recording {
 public:
  virtual ~Recording() = default;
};

/// An in-order, asynchronous queue: calls may return before their work is done, wait() returns after it.
/// Submitting is not thread-safe (the context serialises it); waiting is.
class Queue {
 public:
  virtual ~Queue() = default;
  virtual const DeviceDescription& device() const = 0;

  virtual void* allocate(std::size_t bytes) = 0;  ///< throws Status::out_of_memory
  virtual void release(void* memory) noexcept = 0;
  /// A block goes to a new owner, for whom it holds nothing. Only a device for tests makes sure of that.
  virtual void forget(void* /*memory*/, std::size_t /*bytes*/) {}
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  /// From the host to the device; `from` is the caller's again on return, whether the device has come so far or not.
  virtual void upload(void* to, const void* from, std::size_t bytes) {
    copy(to, from, bytes);
    wait();
  }

  /// Runs entry number `entry` of kernels/entries.hpp; `leaves` point to the pointers and numbers its arguments are
  /// made of. launch() is the typed form.
  virtual void run(int entry, Grid grid, const void* const* leaves) = 0;

  /// Returns when all work so far is done; throws the first error of asynchronous work since the last wait.
  virtual void wait() = 0;

  /// From begin_recording() to end_recording() launches and copies within the device are noted and not done; replay()
  /// queues all of them, at the very addresses and with the very arguments, as often as it is called. Meanwhile nothing
  /// may be allocated, uploaded or waited for (Status::internal).
  virtual bool can_record() const { return false; }
  virtual void begin_recording() { fail_recording(); }
  virtual std::unique_ptr<Recording> end_recording() { fail_recording(); }
  virtual void replay(const Recording&) { fail_recording(); }

 private:
  [[noreturn]] void fail_recording() const { fail(Status::internal, device().name, " cannot record work"); }
};

/// A queue that somebody else has made.
struct ForeignQueue {
  void* handle = nullptr;  ///< a CUstream, or a sycl::queue*
  int device = 0;          ///< CUDA: the number of its device
  std::string runtime;     ///< SYCL: the runtime it is of, as the caller's headers call it
};

/// One way of compiling and running the kernels, and the devices it found on this machine.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;         ///< host, runtime, dpcpp, adaptivecpp
  virtual std::string description() const = 0;  ///< which runtime, or instruction set, it uses
  virtual std::vector<DeviceDescription> devices() const = 0;
  virtual std::unique_ptr<Queue> open(const DeviceDescription& device) = 0;

  /// A queue on one that the caller has of the same runtime, and keeps until this one is gone.
  virtual std::unique_ptr<Queue> adopt(const ForeignQueue& /*foreign*/) {
    fail(Status::unsupported, "the backend ", name(), " has no queues that others could share with it");
  }
};

}  // namespace chord
