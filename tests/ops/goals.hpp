// What is to be counted of an operation that is shaped for GPUs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ops {

/// Sums of what an operation's kernels did, and the worst of their accesses.
struct Sums {
  /// Of what the stand-in for the NVIDIA driver has counted.
  explicit Sums(const nlohmann::json& counts);

  double blocks = 0, threads = 0, instructions = 0, warp_instructions = 0;
  double sectors = 0, ideal_sectors = 0, worst = 0;  ///< worst: of an instruction, how much more than ideal
  double bytes = 0, wide_bytes = 0;                  ///< wide: by accesses of 16 bytes
  double executions = 0;                             ///< of a load by one thread, at most
  double scattered = 0;                              ///< requests of 4 bytes whose lanes lie far apart
  double gather_sectors = 0, gather_bytes = 0;       ///< that gathers touch, and those of their bytes that they want
  double passes = 0, ideal_passes = 0;               ///< through shared memory

 private:
  void add_global(const nlohmann::json& access);
};

/// What is missed, in words. `each`: warp instructions for a row and network, where there are networks.
std::vector<std::string> missed_goals(const std::string& operation, const std::string& type, const Sums& sums,
                                      std::optional<double> each);

}  // namespace ops
