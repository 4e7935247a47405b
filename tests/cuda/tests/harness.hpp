// A client of the stand-in, and processes to run it in: every case has its own, with its own options, since a fault
// spoils the driver for good.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "device/cuda/driver_api.hpp"

namespace chord::cuda {

/// Loaded from the file that was built.
struct DriverFunctions {
#define CHORD_POINTER(name, ...) Result (*name)(__VA_ARGS__) = nullptr;
  CHORD_CUDA_FUNCTIONS(CHORD_POINTER)
#undef CHORD_POINTER
};

}  // namespace chord::cuda

namespace chord::standin_tests {

using cuda::Address;
using cuda::Result;

/// Ends the process of a case: the test fails, and shows what was expected.
void expect(bool holds, const std::string& what);

struct Api : cuda::DriverFunctions {
  Api();
  unsigned long (*reports)(const char* kind) = nullptr;
  std::size_t (*counts_json)(char* text, std::size_t bytes) = nullptr;
  void (*reset_counts)() = nullptr;
  void (*count_gathers)(unsigned long long address, std::size_t bytes) = nullptr;
};

class Gpu {
 public:
  explicit Gpu(int device = 0);

  const Api& api() const { return api_; }
  cuda::DriverContext* context() const { return context_; }
  cuda::Stream* stream() const { return stream_; }

  Address allocate(std::size_t bytes);
  void free(Address address);
  void copy(Address to, Address from, std::size_t bytes);
  void wait();

  template <class T>
  Address upload(const std::vector<T>& values) {
    const Address address = allocate(values.size() * sizeof(T));
    copy(address, reinterpret_cast<Address>(values.data()), values.size() * sizeof(T));
    wait();
    return address;
  }
  template <class T>
  std::vector<T> download(Address address, std::size_t count) {
    std::vector<T> values(count);
    copy(reinterpret_cast<Address>(values.data()), address, count * sizeof(T));
    wait();
    return values;
  }

  /// Of right_kernels.cpp, wrong_kernels.cpp or opcodes.ptx.
  cuda::Function* kernel(const std::string& name);
  cuda::Module* load(const std::string& ptx, Result expected = cuda::success);

  struct Shape {
    unsigned grid_x = 1, block_x = 1, grid_y = 1, block_y = 1, shared = 0;
  };
  template <class... Arguments>
  Result try_launch(const std::string& name, Shape s, Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    return api_.cuLaunchKernel(kernel(name), s.grid_x, s.grid_y, 1, s.block_x, s.block_y, 1, s.shared, stream_,
                               pointers, nullptr);
  }
  template <class... Arguments>
  void launch(const std::string& name, Shape shape, Arguments... arguments) {
    check(try_launch(name, shape, arguments...), "cuLaunchKernel");
  }

  void check(Result result, const char* call, Result expected = cuda::success) const;

 private:
  Api api_;
  cuda::DriverContext* context_ = nullptr;
  cuda::Stream* stream_ = nullptr;
  std::vector<cuda::Module*> modules_;
};

std::string contents(const std::string& path);

/// Options without their CHORD_STANDIN_; other variables as they are called.
using Settings = std::map<std::string, std::string>;

struct Outcome {
  bool passed = false;  ///< ended by itself, with everything as expected
  int signal = 0;       ///< that ended it
  std::string messages;
  bool says(const std::string& pattern) const;  ///< a regular expression
};

Outcome in_child(const Settings& settings, const std::function<void()>& work);
Outcome with_gpu(const Settings& settings, const std::function<void(Gpu&)>& work);

}  // namespace chord::standin_tests
