// All that decides what a run computes, from the paper's defaults, a configuration file and the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "keys.hpp"

namespace train {

struct Settings {
  std::string task;
  Json model = Json::object();  ///< the keys that are given, or the whole description of a model that exists

  int64_t epochs = 0, batch = 0;
  double lr = 0;
  uint64_t seed = 0;
  int64_t count = 0, eval_count = 0;  // 0: the task's own
  bool stop_when_perfect = false;
  std::string data;
  int64_t micro_batch = 0;  // 0: the whole batch
  std::string memory = "auto", device = "auto";
  int64_t threads = 0;  // 0: as the environment has it

  /// What chord_model_create wants.
  std::string model_json() const;
  int64_t length() const;
  int precision() const;
};

/// {"task": …, "model": {…}, "training": {…}}, checked. Throws with the file's name and the path of the key.
Json read_config(const std::string& path);

/// Of several objects like that, the later ones on top.
Json layered(const std::vector<Json>& layers);

/// With the task's defaults for what is not given.
Settings settings_of(const Json& config);
Json to_json(const Settings& settings);

/// Throws unless a run that began with `before` may go on with `now`.
void expect_same_run(const Settings& before, const Settings& now, const std::string& folder);

}  // namespace train
