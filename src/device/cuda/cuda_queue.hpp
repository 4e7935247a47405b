// A stream of an NVIDIA GPU as a queue.
#pragma once

#include <atomic>
#include <memory>

#include "device/cuda/device.hpp"
#include "device/cuda/staging.hpp"

namespace chord::cuda {

class CudaQueue final : public Queue {
 public:
  /// On a stream of its own.
  CudaQueue(Gpu& gpu, DeviceDescription device);
  /// On a stream of the caller's, who destroys it after this.
  CudaQueue(Gpu& gpu, DeviceDescription device, Stream* stream);
  ~CudaQueue() override;

  const DeviceDescription& device() const override { return device_; }
  void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void upload(void* to, const void* from, std::size_t bytes) override;
  void run(int entry, Grid grid, const void* const* leaves) override;
  void wait() override;

  bool can_record() const override;
  void begin_recording() override;
  std::unique_ptr<Recording> end_recording() override;
  void replay(const Recording& recording) override;

  int number() const { return gpu_.number(); }
  Stream* stream() const { return stream_; }
  /// What another stream is given from now on comes after what this queue has been given so far.
  void make_wait(Stream* other);
  /// What this queue is given from now on comes after what another stream has been given so far.
  void wait_for(Stream* other);

 private:
  void order(Stream* first, Stream* second);
  void expect_no_recording(const char* what) const;

  Gpu& gpu_;
  DeviceDescription device_;
  std::unique_ptr<Staging> staging_;
  Stream* stream_ = nullptr;
  bool owns_stream_ = false;
  std::atomic<bool> recording_ = false;
};

}  // namespace chord::cuda
