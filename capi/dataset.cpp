#include "data/dataset.hpp"

#include "capi/handles.hpp"
#include "capi/progress.hpp"
#include "common/size.hpp"

using namespace chord;
using namespace chord::capi;

namespace {

DatasetRequest request_of(const chord_dataset_options* options) {
  const chord_dataset_options given = read_struct(required(options, "options"), "options");
  DatasetRequest request;
  request.task = required(given.task, "options->task");
  request.split = split_of(required(given.split, "options->split"));
  if (given.data) request.data = given.data;
  request.length = given.length;
  request.count = given.count;
  request.seed = given.seed;
  request.sample = given.sample;
  if (given.encoding) request.encoding = given.encoding;
  request.progress = progress_of(given.progress, given.user);
  return request;
}

void expect_bytes(const void* array, std::size_t bytes, const char* name, std::int64_t count, std::size_t each) {
  const std::int64_t expected = checked_multiply(count, std::int64_t(each));
  if (bytes != std::size_t(expected))
    fail(Status::invalid_argument, name, " have ", bytes, " bytes; expected ", expected, " for ", count, " sequences");
  if (bytes > 0) required(array, name);
}

}  // namespace

chord_status chord_dataset_create(const chord_dataset_options* options, chord_dataset** dataset) {
  return guarded(__func__, [&] {
    required(dataset, "dataset");
    *dataset = make_handle<chord_dataset>(open_dataset(request_of(options)));
  });
}

chord_status chord_dataset_destroy(chord_dataset* dataset) {
  return guarded(__func__, [&] { destroy_handle(dataset, "dataset"); });
}

chord_status chord_dataset_get_info(const chord_dataset* dataset, chord_dataset_info* info) {
  return guarded(__func__, [&] {
    const Dataset& value = *checked(dataset, "dataset").value;
    chord_dataset_info result{};
    result.count = value.info().count;
    result.length = value.info().length;
    result.features = value.info().features;
    result.vocabulary = value.info().vocabulary;
    result.classes = value.info().classes;
    result.input_type = value.has_tokens() ? CHORD_INT32 : CHORD_FLOAT32;
    result.label_type = value.has_classes() ? CHORD_INT32 : CHORD_FLOAT32;
    fill_info(info, result, "info");
  });
}

chord_status chord_dataset_encoding(const chord_dataset* dataset, const char** json) {
  return guarded(__func__, [&] { *required(json, "json") = checked(dataset, "dataset").value->encoding().c_str(); });
}

chord_status chord_dataset_read(const chord_dataset* dataset, int64_t first, int64_t count, void* inputs,
                                size_t input_bytes, void* labels, size_t label_bytes) {
  return guarded(__func__, [&] {
    const Dataset& value = *checked(dataset, "dataset").value;
    const int64_t total = value.info().count;
    if (first < 0 || count < 0 || first > total || count > total - first)
      fail(Status::invalid_argument, "first is ", first, " and count is ", count, "; expected a range within the ",
           total, " sequences of the dataset");
    expect_bytes(inputs, input_bytes, "inputs", count, value.input_bytes());
    expect_bytes(labels, label_bytes, "labels", count, Dataset::label_bytes);
    for (int64_t i = 0; i < count; ++i)
      value.read(first + i, static_cast<char*>(inputs) + std::size_t(i) * value.input_bytes(),
                 static_cast<char*>(labels) + std::size_t(i) * Dataset::label_bytes);
  });
}

chord_status chord_batches_create(const chord_dataset* dataset, const chord_batches_options* options,
                                  chord_batches** batches) {
  return guarded(__func__, [&] {
    required(batches, "batches");
    const chord_batches_options given = read_struct(required(options, "options"), "options");
    BatchOptions wanted;
    wanted.batch = given.batch;
    wanted.seed = given.seed;
    wanted.epoch = given.epoch;
    wanted.shuffle = flag(given.shuffle, "shuffle");
    wanted.drop_last = flag(given.drop_last, "drop_last");
    wanted.part_first = given.part_first;
    wanted.part_count = given.part_count;
    *batches = make_handle<chord_batches>(
        std::make_unique<Batches>(BatchPlan(checked(dataset, "dataset").value, wanted), given.first));
  });
}

chord_status chord_batches_destroy(chord_batches* batches) {
  return guarded(__func__, [&] { destroy_handle(batches, "batches"); });
}

chord_status chord_batches_count(const chord_batches* batches, int64_t* count) {
  return guarded(__func__, [&] { *required(count, "count") = checked(batches, "batches").value->count(); });
}

chord_status chord_batches_next(chord_batches* batches, const void** inputs, const void** labels, int64_t* count) {
  return guarded(__func__, [&] {
    required(inputs, "inputs");
    required(labels, "labels");
    required(count, "count");
    const Batch* const batch = checked(batches, "batches").value->next();
    *inputs = batch ? batch->inputs.data() : nullptr;
    *labels = batch ? batch->labels.data() : nullptr;
    *count = batch ? batch->count : 0;
  });
}
