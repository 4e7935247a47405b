// A stream of an NVIDIA GPU as a queue.
#pragma once

#include <memory>

#include "device/cuda/device.hpp"
#include "device/cuda/staging.hpp"

namespace chord::cuda {

class CudaQueue final : public Queue {
 public:
  /// On a stream of its own.
  CudaQueue(std::shared_ptr<Gpu> gpu, DeviceDescription device);
  /// On a stream of the caller's, who destroys it after this.
  CudaQueue(std::shared_ptr<Gpu> gpu, DeviceDescription device, Stream* stream);
  ~CudaQueue() override;

  const DeviceDescription& device() const override { return device_; }
  void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void run(int entry, Grid grid, const void* const* leaves) override;
  void wait() override;

 private:
  std::shared_ptr<Gpu> gpu_;
  DeviceDescription device_;
  Uploads uploads_;
  Downloads downloads_;
  Stream* stream_ = nullptr;
  bool owns_stream_ = false;
};

}  // namespace chord::cuda
