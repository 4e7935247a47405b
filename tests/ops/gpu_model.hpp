// A model, not a measurement: what the counts of the stand-in would mean in time on some GPUs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ops {

struct ModelledGpu {
  std::string name;
  double multiprocessors, ghz;
  double fp32, fp64;               ///< lanes of a multiprocessor
  double cache_bytes, dram_bytes;  ///< a second: from the second cache, and to memory
};

std::vector<std::string> modelled_gpus();

/// Of all launches of a kernel together.
struct ModelledTime {
  double seconds = 0;
  std::string limit;  ///< what takes that long
};

ModelledTime modelled_time(const nlohmann::json& kernel, const ModelledGpu& gpu);

}  // namespace ops
