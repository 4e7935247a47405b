// One NVIDIA GPU: its primary context, which PyTorch and the CUDA runtime share, and our kernels in it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device/cuda/driver.hpp"
#include "device/queue.hpp"

namespace chord::cuda {

class Gpu {
 public:
  /// The device of this number, shared by all that use it; opened at the first call.
  static std::shared_ptr<Gpu> get(int number);
  explicit Gpu(int number);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const std::string& name() const { return name_; }
  int number() const { return number_; }

  /// The calling thread has the device's context while this lives: threads of the user come and go.
  class Current {
   public:
    explicit Current(const Gpu& gpu);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
  };

  /// Throws for anything but success: Status::out_of_memory, or Status::device_failure with the driver's text. An error
  /// that the driver will repeat for ever is kept, and said at each later call.
  void check(Result result, const char* doing);

  struct Kernel {
    Function* function = nullptr;
    unsigned items = 0;  ///< of a block
  };
  /// Entry number `entry` of kernels/entries.hpp.
  const Kernel& kernel(int entry) const;

 private:
  void load_kernels();

  int number_;
  Device device_ = 0;
  std::string name_;
  DriverContext* context_ = nullptr;
  Module* module_ = nullptr;
  std::vector<Kernel> kernels_;
  std::mutex poison_mutex_;
  std::string poison_;  // why the device can no longer be used by this process; empty while it can
};

/// All there are, also such that are too old for our kernels.
struct Found {
  DeviceDescription description;
  int capability;  ///< 70 is sm_70
};
std::vector<Found> find_gpus();
inline constexpr int oldest_capability = 70;

}  // namespace chord::cuda
