#include "result.hpp"

#include "common/text.hpp"
#include "tasks.hpp"

namespace train {

std::string data_text(const Setup& setup) {
  const std::string train = program::counted(setup.train_count, "sequence") + " to train on";
  const std::string test = std::to_string(setup.test_count) + " to test";
  if (setup.settings.selects_by_test())
    return train + ", validation's among them, " + test + ", which also select the epoch";
  return train + ", " + std::to_string(setup.validation_count) + " to validate, " + test;
}

std::string test_name(const Settings& settings) {
  return settings.selects_by_test() ? "test accuracy, epoch selected by it" : "test accuracy";
}

double mean_seconds(const std::vector<Epoch>& epochs) {
  double sum = 0;
  int64_t known = 0;
  for (const Epoch& each : epochs)
    if (each.seconds) {
      sum += *each.seconds;
      ++known;
    }
  return known > 0 ? sum / double(known) : 0;
}

Json to_json(const Setup& setup, const Result& result) {
  const auto published = published_accuracy(setup.settings.task, setup.model.length);
  Json json{{"task", setup.settings.task},          {"length", setup.model.length},
            {"parameters", setup.model.parameters}, {"epochs", result.epochs},
            {"best_epoch", result.best.number},     {"selection", setup.settings.selection},
            {"train_loss", result.best.train_loss}};
  if (setup.settings.selects_by_test()) {
    json["test_accuracy_selected_by_test"] = result.test.accuracy();
    json["test_loss_selected_by_test"] = result.test.loss();
  } else {
    json["validation_accuracy"] = result.best.validation_accuracy;
    json["test_accuracy"] = result.test.accuracy();
    json["test_loss"] = result.test.loss();
  }
  json.update({{"published_accuracy", published ? Json(*published) : Json()},
               {"seconds_per_epoch", result.seconds_per_epoch},
               {"peak_memory_bytes", result.peak_memory_bytes},
               {"device", setup.device.selector},
               {"seed", setup.settings.seed}});
  return json;
}

}  // namespace train
