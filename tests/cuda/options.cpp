#include "options.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <thread>

#include "reports.hpp"

namespace chord::standin {
namespace {

constexpr std::array gpus{
    Gpu{"v100", 7, 0, 80, 98304},     Gpu{"t4", 7, 5, 40, 65536},    Gpu{"a100", 8, 0, 108, 166912},
    Gpu{"rtx3090", 8, 6, 82, 101376}, Gpu{"l40", 8, 9, 142, 101376}, Gpu{"h100", 9, 0, 132, 232448},
    Gpu{"b200", 10, 0, 148, 232448},
};

std::string text(const std::string& name, const std::string& otherwise = "") {
  const char* value = std::getenv(("CHORD_STANDIN_" + name).c_str());
  return value && *value ? value : otherwise;
}

std::uint64_t number(const std::string& name, std::uint64_t otherwise) {
  const std::string value = text(name);
  return value.empty() ? otherwise : std::strtoull(value.c_str(), nullptr, 0);
}

bool is_on(const std::string& name) { return text(name, "0") != "0"; }

Gpu chosen_gpu() {
  const std::string wanted = text("DEVICE", "a100");
  const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return gpu.name == wanted; });
  if (found != gpus.end()) return *found;
  say(format("CHORD_STANDIN_DEVICE=%s is not known; an a100 then", wanted.c_str()));
  return gpus[2];
}

Order chosen_order() {
  const std::string wanted = text("ORDER", "forward");
  if (wanted == "reverse") return Order::reverse;
  if (wanted == "random") return Order::random;
  if (wanted != "forward") say(format("CHORD_STANDIN_ORDER=%s is not known; forward then", wanted.c_str()));
  return Order::forward;
}

Options from_environment() {
  Options o;
  o.races = is_on("RACES");
  o.race_blocks = number("RACES", 1) > 1 ? number("RACES", 1) : 0;
  o.uninitialised = is_on("UNINIT");
  o.lazy = is_on("LAZY");
  o.abort_on_fault = text("FAULT") == "abort";
  o.trace = is_on("TRACE");
  o.order = chosen_order();
  o.seed = number("SEED", 1);
  o.counting = is_on("PROFILE");
  if (o.counting && text("PROFILE") != "1") o.profile_file = text("PROFILE");
  o.sample = o.counting ? number("SAMPLE", 0) : 0;
  o.gpu = chosen_gpu();
  o.devices = int(number("DEVICES", 1));
  o.memory = number("MEMORY", std::uint64_t(4) << 30);
  // Who watches or counts keeps one record for all threads.
  const unsigned cores = std::max(1u, std::min(4u, std::thread::hardware_concurrency()));
  o.threads = o.watching() || o.counting ? 1 : std::max(1, int(number("THREADS", cores)));
  o.cache = text("CACHE", CHORD_STANDIN_CACHE);
  o.driver_version = int(number("DRIVER_VERSION", 12080));
  o.init_error = int(number("CUINIT_ERROR", 0));
  return o;
}

}  // namespace

const Options& options() {
  static const Options& read = *new Options(from_environment());  // outlives whoever asks at exit
  return read;
}

}  // namespace chord::standin
