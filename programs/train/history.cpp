#include "history.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "common/csv.hpp"
#include "common/files.hpp"

namespace train {
namespace {

bool better(const Epoch& one, const Epoch& other) {
  if (one.validation_accuracy != other.validation_accuracy) return one.validation_accuracy > other.validation_accuracy;
  return one.validation_loss < other.validation_loss;
}

/// A number, as short as it can be read back exactly.
std::string exact(double value) { return Json(value).dump(); }

[[noreturn]] void refuse(const std::string& why) {
  throw std::runtime_error("is no checkpoint of chord-train: " + why);
}

template <class Value>
Value field(const Json& object, const std::string& name, const Domain& domain) {
  if (!object.is_object() || !object.contains(name)) refuse("there is no " + name);
  try {
    domain.check(object[name]);
  } catch (const std::invalid_argument& problem) {
    refuse(name + " " + problem.what());
  }
  return object[name].get<Value>();
}

Domain steps_from(int lowest) { return program::integers_between(lowest, 1e18); }
Domain any_real() {
  constexpr double largest = std::numeric_limits<double>::max();
  return program::reals_between(-largest, largest);
}

/// `before`: the number of the epoch before it.
Epoch epoch_of(const Json& line, int64_t before, double constant_rate) {
  const Domain percents = program::reals_between(0, 100);
  Epoch epoch{field<int64_t>(line, "epoch", steps_from(1)),
              field<double>(line, "train_loss", any_real()),
              field<double>(line, "train_accuracy", percents),
              field<double>(line, "validation_loss", any_real()),
              field<double>(line, "validation_accuracy", percents),
              {},
              line.contains("learning_rate") ? field<double>(line, "learning_rate", any_real()) : constant_rate};
  if (epoch.number <= before)
    refuse("epoch " + std::to_string(epoch.number) + " comes behind " + std::to_string(before));
  return epoch;
}

}  // namespace

const Epoch* History::best() const {
  const Epoch* best = nullptr;
  for (const Epoch& each : epochs)
    if (!best || better(each, *best)) best = &each;
  return best;
}

std::string to_note(const Checkpoint& checkpoint) {
  const History& history = checkpoint.history;
  Json log = Json::array();
  for (const Epoch& each : history.epochs)
    log.push_back({{"epoch", each.number},
                   {"train_loss", each.train_loss},
                   {"train_accuracy", each.train_accuracy},
                   {"validation_loss", each.validation_loss},
                   {"validation_accuracy", each.validation_accuracy},
                   {"learning_rate", each.learning_rate}});
  Json note{{"batches", history.batches},
            {"loss_sum", history.score.loss_sum},
            {"correct", history.score.correct},
            {"count", history.score.count}};
  if (const Epoch* best = history.best()) {
    note["best_epoch"] = best->number;
    note["best_validation_accuracy"] = best->validation_accuracy;
  }
  note["log"] = log;
  note["run"] = checkpoint.run;
  return note.dump();
}

Checkpoint from_note(const std::string& text, double constant_rate) {
  const Json note = program::parse_json(text);
  if (!note.is_object()) refuse("its note is no JSON object");
  Checkpoint checkpoint{{}, Json::object()};
  if (!note.contains("log") || !note["log"].is_array()) refuse("its note has no log");
  for (const Json& each : note["log"])
    checkpoint.history.epochs.push_back(epoch_of(each, checkpoint.history.number(), constant_rate));
  checkpoint.history.batches = field<int64_t>(note, "batches", steps_from(0));
  checkpoint.history.score = {field<double>(note, "loss_sum", any_real()),
                              field<int64_t>(note, "correct", steps_from(0)),
                              field<int64_t>(note, "count", steps_from(0))};
  if (checkpoint.history.score.correct > checkpoint.history.score.count)
    refuse("more answers are right than there are");
  if (note.contains("run")) {
    if (!note["run"].is_object()) refuse("run is " + note["run"].dump() + "; expected an object");
    checkpoint.run = note["run"];
  }
  return checkpoint;
}

std::string to_csv(const std::vector<Epoch>& epochs, const std::string& unit, std::string selecting_set) {
  std::replace(selecting_set.begin(), selecting_set.end(), ' ', '_');
  std::string text = unit + ",train_loss,train_accuracy," + selecting_set + "_loss," + selecting_set +
                     "_accuracy,seconds,learning_rate\n";
  for (const Epoch& each : epochs) {
    text += std::to_string(each.number);
    for (const double value : {each.train_loss, each.train_accuracy, each.validation_loss, each.validation_accuracy})
      text += "," + exact(value);
    text += "," + (each.seconds ? exact(*each.seconds) : "") + "," + exact(each.learning_rate) + "\n";
  }
  return text;
}

void add_seconds(const std::string& path, std::vector<Epoch>& epochs) {
  if (!std::filesystem::exists(path)) return;
  const auto records = program::parse_csv(program::read_file(path), path);
  // The first line is the title; those of epochs that the checkpoint does not know are to be done again.
  for (std::size_t i = 0; i < epochs.size() && i + 1 < records.size(); ++i) {
    const auto& fields = records[i + 1].fields;
    if (fields.size() > 5 && !fields[5].empty()) epochs[i].seconds = std::strtod(fields[5].c_str(), nullptr);
  }
}

}  // namespace train
