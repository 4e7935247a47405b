#include "result.hpp"

#include "tasks.hpp"

namespace train {

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
  return {{"task", setup.settings.task},
          {"length", setup.model.length},
          {"parameters", setup.model.parameters},
          {"epochs", result.epochs},
          {"best_epoch", result.best.number},
          {"train_loss", result.best.train_loss},
          {"validation_accuracy", result.best.validation_accuracy},
          {"test_accuracy", result.test.accuracy()},
          {"test_loss", result.test.loss()},
          {"published_accuracy", published ? Json(*published) : Json()},
          {"seconds_per_epoch", result.seconds_per_epoch},
          {"peak_memory_bytes", result.peak_memory_bytes},
          {"device", setup.device.selector},
          {"seed", setup.settings.seed}};
}

}  // namespace train
