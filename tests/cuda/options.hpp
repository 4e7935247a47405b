// What the environment asks for (CHORD_STANDIN_…, listed in README.md), and the GPUs that can be stood in for.
#pragma once

#include <cstdint>
#include <string>

namespace chord::standin {

struct Gpu {
  const char* name;
  int major, minor, multiprocessors;
  int shared_limit;  ///< bytes that a block can have after cuFuncSetAttribute
};

/// Bytes of shared memory that a block can have without asking.
inline constexpr int default_shared_limit = 49152;

enum class Order { forward, reverse, random };

struct Options {
  bool races = false;             ///< report threads that do not wait for each other
  std::uint64_t race_blocks = 0;  ///< of a launch, whose reads and shared memory are watched for that; 0: all
  bool uninitialised = false;     ///< report reads of memory that nobody wrote
  bool lazy = false;              ///< work runs when somebody waits for it, not before
  bool abort_on_fault = false;
  bool trace = false;  ///< say every call
  Order order = Order::forward;
  std::uint64_t seed = 1;
  bool counting = false;     ///< instructions and accesses
  std::string profile_file;  ///< where the counts go at exit; may be empty
  std::uint64_t sample = 0;  ///< blocks of a launch that are run, others are taken to be like them; 0: all
  Gpu gpu{};
  int devices = 1;
  std::uint64_t memory = 0;  ///< bytes of a device
  int threads = 1;           ///< of the CPU, that work on a launch
  std::string cache;         ///< folder of translated modules
  int driver_version = 0;
  int init_error = 0;  ///< what cuInit returns

  /// Whether kernels tell of every access.
  bool watching() const { return races || uninitialised; }
};

/// Read once.
const Options& options();

}  // namespace chord::standin
