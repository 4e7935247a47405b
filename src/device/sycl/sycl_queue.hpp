// A queue of a SYCL device.
#pragma once

#include <deque>
#include <exception>
#include <mutex>
#include <sycl/sycl.hpp>
#include <vector>

#include "device/sycl/sycl_kernels.hpp"

namespace chord {

/// SYCL reports failures of asynchronous work to a handler, some time; kept here until someone waits.
class AsynchronousErrors {
 public:
  void keep(const sycl::exception_list& errors);
  std::exception_ptr take();

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

class SyclQueue final : public Queue {
 public:
  SyclQueue(const sycl::device& device, const DeviceDescription& description, const ModuleServices& services);
  /// On a queue of the caller's, whose handler gets the asynchronous errors.
  SyclQueue(const sycl::queue& queue, const DeviceDescription& description, const ModuleServices& services);

  const DeviceDescription& device() const override { return description_; }
  void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void upload(void* to, const void* from, std::size_t bytes) override;
  void run(int kernel, Grid grid, const void* const* arguments) override;
  void wait() override;

  sycl::queue& native() { return queue_; }

 private:
  template <class Action>
  void guarded(Action action);

  /// Values on their way to the device.
  struct Staged {
    std::vector<char> bytes;
    sycl::event arrived;
  };

  DeviceDescription description_;
  std::shared_ptr<AsynchronousErrors> errors_;
  sycl::queue queue_;
  std::shared_ptr<SyclKernels> kernels_;
  std::deque<Staged> staged_;
};

}  // namespace chord
