#include "settings.hpp"

#include <algorithm>
#include <chord/chord.hpp>
#include <stdexcept>

#include "common/files.hpp"
#include "common/nearest.hpp"
#include "tasks.hpp"

namespace train {
namespace {

/// What changes at most how long a run takes, or when it ends.
const std::vector<std::string> may_change = {"epochs", "stop_when_perfect", "data", "memory", "device", "threads"};

class ConfigReader {
 public:
  explicit ConfigReader(const std::string& path) : path_(path) {}

  Json read() const {
    const Json config = Json::parse(program::read_file(path_), nullptr, false);
    if (config.is_discarded()) fail("", "is not JSON");
    if (!config.is_object()) fail("", "is no JSON object; expected the keys task, model and training");
    for (const auto& [name, value] : config.items()) {
      if (name == "task")
        check_task(value);
      else if (name == "model")
        check_section(name, value, model_keys());
      else if (name == "training")
        check_section(name, value, training_keys());
      else
        fail(name, unknown(name, {"task", "model", "training"}));
    }
    return config;
  }

 private:
  void check_task(const Json& value) const {
    if (!value.is_string()) fail("task", "is " + value.dump() + "; expected the name of a task");
    try {
      find_task(value);
    } catch (const std::invalid_argument& problem) {
      fail("task", problem.what());
    }
  }

  void check_section(const std::string& section, const Json& value, const std::vector<Key>& keys) const {
    if (!value.is_object()) fail(section, "is " + value.dump() + "; expected an object");
    for (const auto& [name, setting] : value.items()) {
      const auto key = std::find_if(keys.begin(), keys.end(), [&n = name](const Key& each) { return n == each.name; });
      if (key == keys.end()) fail(section + "." + name, unknown(name, names_of(keys)));
      try {
        key->check(setting);
      } catch (const std::invalid_argument& problem) {
        fail(section + "." + name, problem.what());
      }
    }
  }

  static std::string unknown(const std::string& name, const std::vector<std::string>& known) {
    return "is unknown" + program::did_you_mean(name, known);
  }

  [[noreturn]] void fail(const std::string& key, const std::string& what) const {
    throw std::runtime_error(path_ + ": " + key + (key.empty() ? "" : " ") + what);
  }

  std::string path_;
};

template <class Value>
void take(const Json& section, const char* name, Value& value) {
  if (section.contains(name)) value = section[name].get<Value>();
}

/// The value of a key of the model, which the preset has if it is not given.
int64_t model_value(const Settings& settings, const char* key) {
  if (settings.model.contains(key)) return settings.model[key];
  return Json::parse(chord::Model::preset(settings.task))[key];
}

std::string shown(const Json& section, const std::string& name) {
  return section.contains(name) ? section[name].dump() : "not given";
}

}  // namespace

std::string Settings::model_json() const {
  Json json{{"preset", task}};
  json.update(model);
  return json.dump();
}

int64_t Settings::length() const { return model_value(*this, "length"); }
int Settings::precision() const { return int(model_value(*this, "precision")); }

Json read_config(const std::string& path) { return ConfigReader(path).read(); }

Json layered(const std::vector<Json>& layers) {
  Json result = Json::object();
  for (const Json& layer : layers) result.merge_patch(layer);
  return result;
}

Settings settings_of(const Json& config) {
  Settings settings;
  take(config, "task", settings.task);
  const Task& task = find_task(settings.task);
  settings.epochs = task.epochs;
  settings.batch = task.batch;
  settings.lr = task.lr;
  take(config, "model", settings.model);
  const Json training = config.value("training", Json::object());
  take(training, "epochs", settings.epochs);
  take(training, "batch", settings.batch);
  take(training, "lr", settings.lr);
  take(training, "seed", settings.seed);
  take(training, "count", settings.count);
  take(training, "eval_count", settings.eval_count);
  take(training, "stop_when_perfect", settings.stop_when_perfect);
  take(training, "data", settings.data);
  take(training, "micro_batch", settings.micro_batch);
  take(training, "memory", settings.memory);
  take(training, "device", settings.device);
  take(training, "threads", settings.threads);
  return settings;
}

Json to_json(const Settings& settings) {
  Json training{{"epochs", settings.epochs}, {"batch", settings.batch}, {"lr", settings.lr}, {"seed", settings.seed}};
  if (settings.count > 0) training["count"] = settings.count;
  if (settings.eval_count > 0) training["eval_count"] = settings.eval_count;
  training["stop_when_perfect"] = settings.stop_when_perfect;
  if (!settings.data.empty()) training["data"] = settings.data;
  if (settings.micro_batch > 0) training["micro_batch"] = settings.micro_batch;
  training["memory"] = settings.memory;
  training["device"] = settings.device;
  if (settings.threads > 0) training["threads"] = settings.threads;
  return {{"task", settings.task}, {"model", settings.model}, {"training", training}};
}

void expect_same_run(const Settings& before, const Settings& now, const std::string& folder) {
  const auto refuse = [&](const std::string& name, const std::string& old_value, const std::string& new_value) {
    throw std::runtime_error(folder + ": holds a run with another " + name + " (" + old_value + ", not " + new_value +
                             "), which cannot go on with this one; leave it out, or begin a new run in another --out");
  };
  if (before.task != now.task) refuse("task", before.task, now.task);
  for (const char* section : {"model", "training"}) {
    const Json old_values = to_json(before)[section], new_values = to_json(now)[section];
    for (const Key& key : section == std::string("model") ? model_keys() : training_keys()) {
      const bool free = std::find(may_change.begin(), may_change.end(), key.name) != may_change.end();
      const std::string was = shown(old_values, key.name), is = shown(new_values, key.name);
      if (!free && old_values.value(key.name, Json()) != new_values.value(key.name, Json()))
        refuse(key.option(), was, is);
    }
  }
}

}  // namespace train
