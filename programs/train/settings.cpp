#include "settings.hpp"

#include <chord/chord.hpp>
#include <limits>
#include <stdexcept>

#include "common/device.hpp"
#include "common/threads.hpp"
#include "tasks.hpp"

namespace train {
namespace {

/// The value of a key of the model, which the preset has if it is not given.
int64_t model_value(const Settings& settings, const char* key) {
  if (settings.model.contains(key)) return settings.model[key];
  return Json::parse(chord::Model::preset(settings.task))[key];
}

/// Whether a run keeps it to its end.
bool is_fixed(const TrainingSetting& setting, const Settings& settings) {
  return !setting.may_change || (setting.name == "epochs" && settings.schedule == "cosine");
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
  constexpr double infinity = std::numeric_limits<double>::infinity();
  using namespace program;
  using S = Settings;
  static const std::vector<TrainingSetting> table = {
      {{"epochs", "E", "Passes over the training set (default: the paper's)", counts_from(1)}, &S::epochs, may_change},
      {{"batch", "B", "Sequences of a step (default: the paper's)", counts_from(1)}, &S::batch, fixed},
      {{"lr", "RATE", "Learning rate of Adam (default: the paper's)", positive_reals()}, &S::lr, fixed},
      {{"schedule", "NAME",
        "constant; warmup: a linear rise; cosine: a fall to 0 at the end of the run, behind\na rise, if any (default: "
        "constant)",
        one_of({"constant", "warmup", "cosine"})},
       &S::schedule,
       fixed},
      {{"warmup_steps", "K", "Steps of that rise (default: an epoch for warmup, none for cosine)", counts_from(0)},
       &S::warmup_steps,
       fixed},
      {{"weight_decay", "X", "AdamW's: each step takes rate · X of every parameter (default: 0)",
        reals_below(0, infinity)},
       &S::weight_decay,
       fixed},
      {{"clip_norm", "X", "Scale the gradients down where their norm is above (default: 0, never)",
        reals_below(0, infinity)},
       &S::clip_norm,
       fixed},
      {{"seed", "NUMBER", "Of the data, their order, the model and its dropout (default: 0)", seeds()},
       &S::seed,
       fixed},
      {{"count", "K", "Sequences to train on; of files, a sample by the seed (default: the paper's)", counts_from(1)},
       &S::count,
       fixed},
      {{"eval_count", "K", "Sequences to validate on, and to test on (default: the paper's)", counts_from(1)},
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
      {{"validate_every", "K", "Validate after every K steps (default: 0, after every epoch)", counts_from(0)},
       &S::validate_every,
       fixed},
      {{"patience", "K", "End after K validations without a better one (default: 0, never)", counts_from(0)},
       &S::patience,
       may_change},
      {{"data", "FOLDER", "Files of a task that is not generated", texts()}, &S::data, may_change},
      {{"micro_batch", "B", "Sequences computed at a time (default: what suits the device)", counts_from(1)},
       &S::micro_batch,
       fixed},
      {{"pieces", "P",
        "Pieces of a batch, whose gradients are summed in a fixed order: what ranks share\n(default: 8 under mpirun; "
        "else the batch is whole)",
        counts_from(1)},
       &S::pieces,
       fixed},
      {{"split", "WHAT",
        "What is cut into pieces: batch, or sequence: each along its length, where one is\ntoo long for a machine "
        "(default: batch)",
        one_of({"batch", "sequence"})},
       &S::split,
       fixed},
      {{"sum", "HOW",
        "How ranks sum gradients: ordered, by pieces, the same bits for any number of them;\nfast: each has its share "
        "in "
        "one go, and MPI adds up (default: ordered)",
        one_of({"ordered", "fast"})},
       &S::sum,
       fixed},
      {{"memory", "HOW",
        "normal, low (factors are made again in the backward pass), or auto: normal\nwhere that fits (default: auto)",
        one_of(memory_names())},
       &S::memory,
       may_change},
      {{"device", "DEVICE", program::device_help, texts()}, &S::device, may_change},
      {{"threads", "T", "Threads of the host device (default: OMP_NUM_THREADS, else all cores)",
        integers_between(1, program::most_threads)},
       &S::threads,
       may_change}};
  return table;
}

const std::vector<std::string>& memory_names() {
  static const std::vector<std::string> names = {"auto", "normal", "low"};
  return names;
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
    if (is_fixed(each, before)) comparison.expect_same("training", each);
}

Json identity_of(const Settings& settings) {
  Json identity = to_json(settings);
  for (const TrainingSetting& each : training_settings())
    if (!is_fixed(each, settings)) identity["training"].erase(each.name);
  return identity;
}

void expect_same_identity(const Json& checkpoint, const Settings& settings) {
  const Json own = identity_of(settings);
  const Json task = checkpoint.value("task", own["task"]);
  if (task != own["task"])
    throw std::runtime_error("is a checkpoint of another run: its task is " + task.dump() + ", not " + settings.task);
  for (const char* section : {"model", "training"}) {
    const Json theirs = checkpoint.value(section, Json::object());
    for (const auto& [name, value] : theirs.items())
      if (own[section].contains(name) && own[section][name] != value)
        throw std::runtime_error("is a checkpoint of another run: its " + name + " is " + value.dump() + ", not " +
                                 own[section][name].dump());
  }
}

}  // namespace train
