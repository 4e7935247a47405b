#include "settings.hpp"

#include <chord/chord.hpp>
#include <stdexcept>

#include "common/device.hpp"
#include "tasks.hpp"

namespace train {
namespace {

/// The value of a key of the model, which the preset has if it is not given.
int64_t model_value(const Settings& settings, const char* key) {
  if (settings.model.contains(key)) return settings.model[key];
  return Json::parse(chord::Model::preset(settings.task))[key];
}

/// Compares what two runs have for a key.
class Comparison {
 public:
  Comparison(const Settings& before, const Settings& now, const std::string& folder)
      : before_(to_json(before)), now_(to_json(now)), folder_(folder) {}

  void expect_same(const char* section, const Key& key) const {
    const Json was = before_[section].value(key.name, Json()), is = now_[section].value(key.name, Json());
    if (was != is) refuse(key.option(), shown(was), shown(is));
  }

  void expect_same_task() const {
    if (before_["task"] != now_["task"]) refuse("task", before_["task"], now_["task"]);
  }

 private:
  static std::string shown(const Json& value) { return value.is_null() ? "not given" : value.dump(); }

  [[noreturn]] void refuse(const std::string& name, const std::string& was, const std::string& is) const {
    throw std::runtime_error(folder_ + ": holds a run with another " + name + " (" + was + ", not " + is +
                             "), which cannot go on with this one; leave it out, or begin a new run in another --out");
  }

  Json before_, now_;
  std::string folder_;
};

}  // namespace

std::string Settings::model_json() const {
  Json json{{"preset", task}};
  json.update(model);
  return json.dump();
}

int64_t Settings::length() const { return model_value(*this, "length"); }
int Settings::precision() const { return int(model_value(*this, "precision")); }

const std::vector<TrainingSetting>& training_settings() {
  constexpr bool may_change = true, fixed = false;
  using S = Settings;
  static const std::vector<TrainingSetting> table = {
      {{"epochs", "E", "Passes over the training set (default: the paper's)", integers_from(1)},
       &S::epochs,
       may_change},
      {{"batch", "B", "Sequences of a step (default: the paper's)", integers_from(1)}, &S::batch, fixed},
      {{"lr", "RATE", "Learning rate of Adam (default: the paper's)", positive_reals()}, &S::lr, fixed},
      {{"seed", "NUMBER", "Of the data, their order, the model and its dropout (default: 0)", integers_from(0)},
       &S::seed,
       fixed},
      {{"count", "K", "Sequences to train on, of a generated task (default: the paper's)", integers_from(1)},
       &S::count,
       fixed},
      {{"eval_count", "K", "Sequences to validate on, and to test on (default: the paper's)", integers_from(1)},
       &S::eval_count,
       fixed},
      {{"stop_when_perfect", "", "End once all answers on the set that selects are right", booleans()},
       &S::stop_when_perfect,
       may_change},
      {{"selection", "SPLIT",
        "What the best epoch is chosen by: validation, or test as in the paper, with\nthe validation set among the "
        "training data (default: validation)",
        one_of({"validation", "test"})},
       &S::selection,
       fixed},
      {{"data", "FOLDER", "Files of a task that is not generated", texts()}, &S::data, may_change},
      {{"micro_batch", "B", "Sequences computed at a time (default: the batch); saves memory", integers_from(1)},
       &S::micro_batch,
       fixed},
      {{"memory", "HOW",
        "normal, low (factors are made again in the backward pass), or auto: normal\nwhere that fits (default: auto)",
        one_of(memory_names)},
       &S::memory,
       may_change},
      {{"device", "DEVICE", program::device_help, texts()}, &S::device, may_change},
      {{"threads", "T", "Threads of the host device (default: OMP_NUM_THREADS, else all cores)", integers_from(1)},
       &S::threads,
       may_change}};
  return table;
}

Json TrainingSetting::get(const Settings& settings) const {
  return std::visit([&](auto value) { return Json(settings.*value); }, member);
}

void TrainingSetting::set(Settings& settings, const Json& value) const {
  std::visit([&](auto target) { value.get_to(settings.*target); }, member);
}

Settings settings_of(const Json& config) {
  Settings settings;
  settings.task = config.value("task", "");
  const Task& task = find_task(settings.task);
  settings.epochs = task.epochs;
  settings.batch = task.batch;
  settings.lr = task.learning_rate;
  settings.model = config.value("model", Json::object());
  const Json training = config.value("training", Json::object());
  for (const TrainingSetting& each : training_settings())
    if (training.contains(each.name)) each.set(settings, training[each.name]);
  return settings;
}

Json to_json(const Settings& settings) {
  Json training = Json::object();
  for (const TrainingSetting& each : training_settings())
    if (each.given(settings)) training[each.name] = each.get(settings);
  return {{"task", settings.task}, {"model", settings.model}, {"training", training}};
}

void expect_same_run(const Settings& before, const Settings& now, const std::string& folder) {
  const Comparison comparison(before, now, folder);
  comparison.expect_same_task();
  for (const Key& key : model_keys()) comparison.expect_same("model", key);
  for (const TrainingSetting& each : training_settings())
    if (!each.may_change) comparison.expect_same("training", each);
}

}  // namespace train
