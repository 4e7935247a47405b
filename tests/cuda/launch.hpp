// A kernel with everything it needs to run, and one run of it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "device/cuda/driver_api.hpp"
#include "memory.hpp"
#include "translator/ptx_module.h"

namespace chord::standin {

struct Launch {
  const PtxModule* module = nullptr;
  const PtxEntry* entry = nullptr;
  const std::uint64_t* variables = nullptr;  ///< device addresses of the module's
  Arena* arena = nullptr;
  const Ranges* pinned = nullptr;  ///< memory of the host that kernels may use
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t dynamic_shared = 0;
  std::vector<std::vector<unsigned char>> parameters;

  std::uint64_t blocks() const { return std::uint64_t(grid[0]) * grid[1] * grid[2]; }
  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
  std::uint32_t warps() const { return (threads() + 31) / 32; }
  std::uint32_t shared() const { return entry->static_shared + dynamic_shared; }
};

/// One run, on which several threads of the CPU may work.
struct Execution {
  explicit Execution(const Launch& of);
  const Launch& launch;
  std::vector<const unsigned char*> parameters;
  std::vector<std::uint32_t> block_order;
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<cuda::Result> error{cuda::success};  ///< ends it

  bool stopped() const { return error != cuda::success; }
  /// How many blocks each one that is run stands for.
  double weight() const { return double(launch.blocks()) / double(block_order.size()); }

 private:
  void take_sample();
};

/// Returns what went wrong with it.
cuda::Result run(const Launch& launch);

}  // namespace chord::standin
