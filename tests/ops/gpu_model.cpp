#include "gpu_model.hpp"

#include <algorithm>

#include "commands.hpp"
#include "counts.hpp"
#include "report.hpp"

namespace ops {
namespace {

using nlohmann::json;

// Published figures; those of the second cache as others have measured them.
const std::vector<ModelledGpu> gpus{{"v100", 80, 1.53, 64, 32, 2.2e12, 0.90e12},
                                    {"a100", 108, 1.41, 64, 32, 4.5e12, 1.55e12},
                                    {"h100", 132, 1.755, 128, 64, 5.5e12, 3.35e12},
                                    {"rtx4090", 128, 2.52, 128, 2, 5.0e12, 1.01e12}};

constexpr double warp = 32, sector_bytes = 32;
constexpr double issued = 4;          ///< warp instructions a multiprocessor begins in a cycle
constexpr double special_lanes = 16;  ///< of a multiprocessor, for exponentials and the like
constexpr double cycles_apart = 3;    ///< of a warp's instructions, where it has its scheduler for itself
constexpr double latency = 1e-6;      ///< of the first loads and the last stores
constexpr double launch = 1.5e-6;     ///< of a kernel within a graph, until the next one begins
constexpr double reached = 0.7;       ///< share of its limits that a good kernel reaches

double of_class(const json& kernel, const char* name) {
  const json& all = kernel["warp_instructions"];
  return all.contains(name) ? all[name].get<double>() : 0;
}

double all_instructions(const json& kernel) {
  double sum = 0;
  for (const auto& [name, count] : kernel["warp_instructions"].items()) sum += count.get<double>();
  return sum;
}

double passes_of(const json& kernel) {
  double sum = 0;
  for (const json& access : kernel["accesses"]) sum += access["passes"].get<double>();
  return sum;
}

struct Task {
  TrainingStep step;
  double times;  ///< how many of its batches the one that is asked for has
};

const Task tasks[] = {
    {{"adding, N = 128", R"({"preset":"adding","length":128})", 40, 128, false}, 1},
    {{"adding, N = 2048", R"({"preset":"adding","length":2048})", 40, 2048, false}, 1},
    {{"adding, N = 16384", R"({"preset":"adding","length":16384})", 40, 16384, false}, 1},
    {{"image", R"({"preset":"image"})", 32, 1024, true}, 1},
    // More than the stand-in has memory for: an eighth of the batch.
    {{"listops", R"({"preset":"listops"})", 4, 2000, true}, 8},
};

struct Line {
  std::string name;
  double launches, seconds;
  std::string limit;
};

std::vector<Line> lines_of(const json& step, const ModelledGpu& gpu, double times) {
  std::vector<Line> lines;
  for (const json& kernel : step["kernels"]) {
    const ModelledTime time = modelled_time(kernel, gpu);
    const double launches = kernel["launches"];
    lines.push_back({kernel["name"], launches, launch * launches + times * time.seconds, time.limit});
  }
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.seconds > b.seconds; });
  return lines;
}

}  // namespace

std::vector<std::string> modelled_gpus() {
  std::vector<std::string> names;
  for (const ModelledGpu& gpu : gpus) names.push_back(gpu.name);
  return names;
}

ModelledTime modelled_time(const json& kernel, const ModelledGpu& gpu) {
  const double launches = kernel["launches"], warps = kernel["warps"];
  // Each launch has the multiprocessors for itself, as many as it has blocks for.
  const double used = std::min(gpu.multiprocessors, kernel["blocks"].get<double>() / launches);
  const double cycles = used * gpu.ghz * 1e9, instructions = all_instructions(kernel);
  const std::pair<double, const char*> limits[] = {
      {instructions / issued / cycles / reached, "instructions"},
      {of_class(kernel, "fp32") * warp / gpu.fp32 / cycles / reached, "float32"},
      {of_class(kernel, "fp64") * warp / gpu.fp64 / cycles / reached, "float64"},
      {of_class(kernel, "special") * warp / special_lanes / cycles / reached, "special functions"},
      {passes_of(kernel) / cycles / reached, "shared memory"},
      {kernel["block_sectors"].get<double>() * sector_bytes / gpu.cache_bytes / reached, "second cache"},
      {kernel["stored_sectors"].get<double>() * sector_bytes / gpu.dram_bytes / reached, "stores"},
      {launches * (instructions / warps * cycles_apart / gpu.ghz * 1e-9 + latency), "one warp after the other"}};
  const auto most = std::max_element(std::begin(limits), std::end(limits));
  return {most->first, most->second};
}

int model_command(const Wanted& wanted, const Counts& counts) {
  const std::string device = wanted.devices.front().selector;
  json all = json::array();
  if (!wanted.json)
    std::printf(
        "A model, not a measurement: what the stand-in counts (a few blocks of each launch, taken for all), against a "
        "GPU's figures.\nEach kernel takes as long as what limits it at 70 %%, and 1.5 µs within a graph. Nothing here "
        "has run on a GPU.\n");
  for (const Task& task : tasks) {
    const json counted = count_training_step(device.c_str(), task.step, counts);
    for (const ModelledGpu& gpu : gpus) {
      if (std::find(wanted.models.begin(), wanted.models.end(), gpu.name) == wanted.models.end()) continue;
      double sum = 0;
      Table table(1, {"  kernel", "launches", "time", "limited by"});
      for (const Line& line : lines_of(counted, gpu, task.times)) {
        sum += line.seconds;
        table.add(
            {"  " + line.name, printed("%.0f", line.launches), printed("%.1f µs", line.seconds * 1e6), line.limit});
      }
      all.push_back({{"task", task.step.name}, {"gpu", gpu.name}, {"seconds", sum}});
      if (wanted.json) continue;
      std::printf("\n%s, batch %.0f, %s: %.2f ms a training step\n", task.step.name,
                  double(task.step.batch) * task.times, gpu.name.c_str(), sum * 1e3);
      table.print();
      std::fflush(stdout);
    }
  }
  if (wanted.json) std::puts(all.dump(2).c_str());
  return 0;
}

}  // namespace ops
