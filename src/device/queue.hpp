// What every way of running kernels provides: an in-order queue with memory, copies and kernel launches.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/grid.hpp"

namespace chord {

enum class DeviceKind { host, cpu, gpu, other };

struct DeviceDescription {
  std::string selector;  ///< names this very device, e.g. "host", "opencl:0"
  std::string name;
  DeviceKind kind = DeviceKind::host;
  std::string way;  ///< how its kernels are compiled: host, runtime, dpcpp, adaptivecpp
  std::size_t memory_bytes = 0;
  int units = 1;              ///< cores, or multiprocessors
  bool host_readable = true;  ///< its memory can be touched by the host between waits, and host memory by its kernels
  bool has_float64 = true;

  /// Few threads with caches: blocks of registers, whole chains per worker. Otherwise a thread per lane.
  bool cpu_like() const { return kind == DeviceKind::host || kind == DeviceKind::cpu; }
};

/// In-order and asynchronous: calls may return before their work is done, wait() returns after it.
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

  /// Runs kernel number `kernel` of kernels/list.hpp; see launch() for the typed form.
  virtual void run(int kernel, Grid grid, const void* const* arguments) = 0;

  /// Throws the first error of asynchronous work since the last wait.
  virtual void wait() = 0;
};

/// One way of running kernels and the devices it found on this machine.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string way() const = 0;
  virtual std::string description() const = 0;
  virtual std::vector<DeviceDescription> devices() const = 0;
  virtual std::unique_ptr<Queue> open(const DeviceDescription& device) = 0;
};

}  // namespace chord
