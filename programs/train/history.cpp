#include "history.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
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

}  // namespace

const Epoch* History::best() const {
  const Epoch* best = nullptr;
  for (const Epoch& each : epochs)
    if (!best || better(each, *best)) best = &each;
  return best;
}

std::string to_note(const History& history) {
  Json log = Json::array();
  for (const Epoch& each : history.epochs)
    log.push_back({{"epoch", each.number},
                   {"train_loss", each.train_loss},
                   {"train_accuracy", each.train_accuracy},
                   {"validation_loss", each.validation_loss},
                   {"validation_accuracy", each.validation_accuracy}});
  Json note{{"epoch", history.current()},
            {"batches", history.batches},
            {"loss_sum", history.score.loss_sum},
            {"correct", history.score.correct},
            {"count", history.score.count}};
  if (const Epoch* best = history.best()) {
    note["best_epoch"] = best->number;
    note["best_validation_accuracy"] = best->validation_accuracy;
  }
  note["log"] = log;
  return note.dump();
}

History from_note(const std::string& text) {
  try {
    const Json note = Json::parse(text);
    History history;
    for (const Json& each : note.at("log"))
      history.epochs.push_back({each.at("epoch"),
                                each.at("train_loss"),
                                each.at("train_accuracy"),
                                each.at("validation_loss"),
                                each.at("validation_accuracy"),
                                {}});
    history.batches = note.at("batches");
    history.score = {note.at("loss_sum"), note.at("correct"), note.at("count")};
    return history;
  } catch (const Json::exception& problem) {
    throw std::runtime_error("is no checkpoint of chord-train: " + std::string(problem.what()));
  }
}

std::string to_csv(const std::vector<Epoch>& epochs, std::string selecting_set) {
  std::replace(selecting_set.begin(), selecting_set.end(), ' ', '_');
  std::string text =
      "epoch,train_loss,train_accuracy," + selecting_set + "_loss," + selecting_set + "_accuracy,seconds\n";
  for (const Epoch& each : epochs) {
    text += std::to_string(each.number);
    for (const double value : {each.train_loss, each.train_accuracy, each.validation_loss, each.validation_accuracy})
      text += "," + exact(value);
    text += "," + (each.seconds ? exact(*each.seconds) : "") + "\n";
  }
  return text;
}

void add_seconds(const std::string& path, std::vector<Epoch>& epochs) {
  if (!std::filesystem::exists(path)) return;
  const auto records = program::parse_csv(program::read_file(path), path);
  // The first line is the title; those of epochs that the checkpoint does not know are to be done again.
  for (std::size_t i = 0; i < epochs.size() && i + 1 < records.size(); ++i) {
    const auto& fields = records[i + 1].fields;
    if (fields.size() == 6 && !fields[5].empty()) epochs[i].seconds = std::strtod(fields[5].c_str(), nullptr);
  }
}

}  // namespace train
