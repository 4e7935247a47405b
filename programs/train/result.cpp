#include "result.hpp"

#include "common/text.hpp"
#include "confusion.hpp"
#include "tasks.hpp"

namespace train {
namespace {

/// Rows by the expected class, columns by the answered one.
Json confusion_json(const std::vector<Answer>& answers, int64_t classes) {
  const Confusion confusion(answers, classes);
  Json rows = Json::array();
  for (int64_t expected = 0; expected < classes; ++expected) {
    rows.push_back(Json::array());
    for (int64_t given = 0; given < classes; ++given) rows.back().push_back(confusion.count(expected, given));
  }
  return rows;
}

}  // namespace

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

double seconds_per_epoch(const Course& course, const std::vector<Epoch>& epochs) {
  double sum = 0;
  int64_t known = 0, before = 0;
  for (const Epoch& each : epochs) {
    if (each.seconds) {
      sum += *each.seconds;
      known += course.steps_at(each.number) - course.steps_at(before);
    }
    before = each.number;
  }
  return known > 0 ? sum / (double(known) / double(course.steps_per_epoch)) : 0;
}

Json to_json(const Setup& setup, const Result& result) {
  const auto published = published_accuracy(setup.settings.task, setup.model.length);
  Json json{{"task", setup.settings.task},
            {"length", setup.model.length},
            {"parameters", setup.model.parameters},
            {setup.course.unit() + "s", result.epochs},
            {"best_" + setup.course.unit(), result.best.number},
            {"selection", setup.settings.selection},
            {"train_loss", result.best.train_loss}};
  if (setup.settings.selects_by_test()) {
    json["test_accuracy_selected_by_test"] = result.test.accuracy();
    json["test_loss_selected_by_test"] = result.test.loss();
  } else {
    json["validation_accuracy"] = result.best.validation_accuracy;
    json["test_accuracy"] = result.test.accuracy();
    json["test_loss"] = result.test.loss();
  }
  if (setup.model.label_type == CHORD_INT32)
    json["confusion"] = confusion_json(result.test.answers, setup.model.classes);
  json.update({{"published_accuracy", published ? Json(*published) : Json()},
               {"seconds_per_epoch", result.seconds_per_epoch},
               {"peak_memory_bytes", result.peak_memory_bytes},
               {"device", setup.device.selector},
               {"seed", setup.settings.seed}});
  return json;
}

}  // namespace train
