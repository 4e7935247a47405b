#include "data/tasks.hpp"

#include "capi/boundary.hpp"
#include "data/generated.hpp"
#include "nn/description.hpp"
#include "nn/presets.hpp"

using namespace chord;
using namespace chord::capi;

chord_status chord_task_count(int32_t* count) {
  return guarded(__func__, [&] { count_items(tasks(), count); });
}

chord_status chord_task_get_info(int32_t index, chord_task_info* info) {
  return guarded(__func__, [&] {
    const Task& task = item(tasks(), index);
    const ModelDescription model = ModelDescription::parse(preset_json(task.name));
    chord_task_info value{};
    value.name = task.name;
    value.title = task.title;
    value.data = task.data;
    value.generated = task.generated();
    value.readable = task.open != nullptr;
    value.has_encoder = task.encoder != nullptr;
    value.has_files_generator = task.generate != nullptr;
    value.length = model.length;
    value.features = model.features;
    value.vocabulary = model.vocabulary;
    value.classes = model.classes;
    value.train_count = task.generated() ? usual_count(Split::train) : 0;
    value.eval_count = task.generated() ? usual_count(Split::test) : 0;
    value.epochs = task.epochs;
    value.batch = task.batch;
    value.learning_rate = task.learning_rate;
    fill_info(info, value, "info");
  });
}

chord_status chord_task_get_published_accuracy(int32_t index, int64_t length, double* percent) {
  return guarded(__func__,
                 [&] { *required(percent, "percent") = item(tasks(), index).published_accuracy(length).value_or(-1); });
}
