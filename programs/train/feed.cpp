#include "feed.hpp"

#include <stdexcept>

#include "common/misuse.hpp"
#include "tasks.hpp"
#include "work_line.hpp"

namespace train {
namespace {

chord::Tensor make_tensor(chord::Context& context, int32_t type, const chord::Shape& shape) {
  chord_tensor* handle = nullptr;
  chord::check(chord_tensor_create(context.get(), type, int32_t(shape.size()), shape.data(), &handle));
  return chord::Tensor(handle);
}

chord::Shape input_shape(const chord_model_info& model, int64_t count) {
  if (model.features > 0) return {count, model.length, model.features};
  return {count, model.length};
}

/// `data`: of the tensor's type, or of 32 bits where that has 64.
void upload(const chord::Tensor& tensor, const void* data, std::vector<double>& wide) {
  const auto info = tensor.info();
  if (info.type == CHORD_FLOAT64) {
    const float* narrow = static_cast<const float*>(data);
    wide.assign(narrow, narrow + info.bytes / sizeof(double));
    data = wide.data();
  }
  chord::check(chord_tensor_from_host(tensor.get(), data, info.bytes));
}

bool real(int32_t type) { return type == CHORD_FLOAT32 || type == CHORD_FLOAT64; }

[[noreturn]] void misfit(const std::string& task, const std::string& data, const std::string& model) {
  throw std::runtime_error("the model does not fit the task: " + task + " has " + data + ", the model " + model);
}

/// Tasks that are not generated have files, and only those.
void expect_data(const DataChoice& choice) {
  const Task& task = find_task(choice.task);
  if (!task.generated && choice.data.empty())
    throw program::Misuse("--data", std::string("is missing; expected the folder with ") + task.data);
  if (task.generated && !choice.data.empty())
    throw program::Misuse("--data", "is '" + choice.data + "'; " + choice.task + " is generated, so none is expected");
}

/// Where files have fewer sequences than were asked for, which option did so, and for which of their parts.
void expect_enough(const DataChoice& choice, chord_dataset_options options) {
  options.count = 0;
  options.sample = 0;
  const int64_t all = chord::Dataset(options).info().count;
  if (choice.count > all)
    throw program::Misuse(choice.counted_by, "is " + std::to_string(choice.count) + "; expected at most " +
                                                 std::to_string(all) + ", which is what " + choice.data + " has for '" +
                                                 choice.split + "'");
}

}  // namespace

std::vector<double> reals_of(const chord::Tensor& tensor) {
  if (tensor.info().type == CHORD_FLOAT64) return tensor.to_host<double>();
  const auto values = tensor.to_host<float>();
  return std::vector<double>(values.begin(), values.end());
}

chord::Dataset open_dataset(const DataChoice& choice) {
  expect_data(choice);
  auto options = chord::dataset_options(choice.task.c_str(), choice.split.c_str());
  options.data = choice.data.empty() ? nullptr : choice.data.c_str();
  options.length = choice.length;
  options.count = choice.count;
  options.seed = choice.seed;
  // 0 would mean the first ones.
  const bool sampled = !find_task(choice.task).generated && choice.count > 0;
  if (sampled) options.sample = choice.seed + 1;
  options.encoding = choice.encoding.empty() ? nullptr : choice.encoding.c_str();
  WorkLine line("reading " + choice.data, choice.quiet);
  try {
    return {options, [&](int64_t done, int64_t total) { return line.tell(done, total); }};
  } catch (const chord::Error& error) {
    if (sampled && error.status() == CHORD_ERROR_INVALID_ARGUMENT) expect_enough(choice, options);
    throw;
  }
}

void expect_fit(const chord_model_info& model, const chord_dataset_info& data, const std::string& task) {
  const auto expect = [&](int64_t theirs, int64_t ours, const std::string& what) {
    if (theirs != ours) misfit(task, std::to_string(theirs) + " " + what, std::to_string(ours));
  };
  if (real(model.input_type) != real(data.input_type))
    misfit(task, real(data.input_type) ? "reals" : "tokens", real(model.input_type) ? "takes reals" : "takes tokens");
  expect(data.length, model.length, "positions");
  expect(data.features, model.features, "reals per position");
  if (data.vocabulary > model.vocabulary) expect(data.vocabulary, model.vocabulary, "tokens");
  if (real(model.label_type) != real(data.label_type))
    misfit(task, real(data.label_type) ? "labels that are reals" : "labels that are classes",
           real(model.label_type) ? "takes reals (loss mse)" : "takes classes (loss cross_entropy)");
  if (data.classes > model.classes) expect(data.classes, model.classes, "classes");
}

Feed::Feed(chord::Context& context, const chord_model_info& model, int64_t batch)
    : model_(model),
      batch_(batch),
      all_inputs_(make_tensor(context, model.input_type, input_shape(model, batch))),
      all_labels_(make_tensor(context, model.label_type, {batch})),
      all_outputs_(make_tensor(context, model.output_type, {batch, model.classes})) {}

void Feed::load(const chord::Batch& batch) {
  partial_ = batch.count != batch_;
  if (partial_) {
    some_inputs_ = all_inputs_.view(input_shape(model_, batch.count), {});
    some_labels_ = all_labels_.view({batch.count}, {});
    some_outputs_ = all_outputs_.view({batch.count, model_.classes}, {});
  }
  upload(inputs(), batch.inputs, wide_);
  upload(labels(), batch.labels, wide_);
}

std::vector<double> Feed::outputs_of(chord::Model& model) {
  chord::Tensor& outputs = partial_ ? some_outputs_ : all_outputs_;
  model.forward(inputs(), outputs);
  return reals_of(outputs);
}

}  // namespace train
