#include "predict.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <utility>

#include "classify.hpp"
#include "common/device.hpp"
#include "common/files.hpp"
#include "common/misuse.hpp"
#include "common/text.hpp"
#include "common/threads.hpp"
#include "model_file.hpp"
#include "raw_input.hpp"
#include "score.hpp"
#include "tasks.hpp"

namespace train {
namespace {

chord::Shape shape_of(const chord::Tensor& tensor) {
  const auto info = tensor.info();
  return chord::Shape(info.shape, info.shape + info.rank);
}

const char* type_name(int32_t type) {
  switch (type) {
    case CHORD_FLOAT32: return "float32";
    case CHORD_FLOAT64: return "float64";
    case CHORD_INT32: return "int32";
    default: return "int64";
  }
}

std::string shape_text(const chord::Shape& shape) { return "[" + program::join(shape, ", ") + "]"; }

template <class To, class From>
chord::Tensor converted(chord::Context& context, const chord::Tensor& tensor) {
  const auto values = tensor.to_host<From>();
  if (std::is_integral_v<From>)
    for (const From value : values)
      if (double(value) < double(std::numeric_limits<To>::lowest()) ||
          double(value) > double(std::numeric_limits<To>::max()))
        throw std::runtime_error("has the value " + std::to_string(value) + ", which is too large");
  return chord::Tensor::from(context, shape_of(tensor), std::vector<To>(values.begin(), values.end()));
}

/// The tensor with the other number of bits, where that is all that is wrong with it.
chord::Tensor with_type(chord::Context& context, chord::Tensor tensor, int32_t type) {
  const int32_t has = tensor.info().type;
  if (has == type) return tensor;
  if (has == CHORD_INT64 && type == CHORD_INT32) return converted<int32_t, int64_t>(context, tensor);
  if (has == CHORD_FLOAT64 && type == CHORD_FLOAT32) return converted<float, double>(context, tensor);
  if (has == CHORD_FLOAT32 && type == CHORD_FLOAT64) return converted<double, float>(context, tensor);
  throw std::runtime_error("holds " + std::string(type_name(has)) + "; expected " + type_name(type));
}

/// What a file holds, as the model takes it: of this type and, behind the number of sequences, this shape.
chord::Tensor fitted(chord::Context& context, chord::Tensor tensor, const std::string& path, int32_t type,
                     const chord::Shape& rest) {
  const chord::Shape shape = shape_of(tensor);
  if (shape.empty() || chord::Shape(shape.begin() + 1, shape.end()) != rest) {
    std::string expected = "[batch";
    for (const int64_t extent : rest) expected += ", " + std::to_string(extent);
    throw std::runtime_error(path + ": has the shape " + shape_text(shape) + "; expected " + expected + "]");
  }
  try {
    return with_type(context, std::move(tensor), type);
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error(path + ": " + problem.what());
  }
}

/// Sequences first … first + count − 1.
chord::Tensor slice(const chord::Tensor& tensor, int64_t first, int64_t count) {
  chord::Shape shape = shape_of(tensor);
  int64_t each = 1;
  for (std::size_t i = 1; i < shape.size(); ++i) each *= shape[i];
  shape[0] = count;
  return tensor.view(shape, {}, first * each);
}

chord::Tensor outputs_like(chord::Context& context, const chord_model_info& model, int64_t count) {
  const chord::Shape shape = {count, model.classes};
  return model.output_type == CHORD_FLOAT64 ? chord::Tensor::empty<double>(context, shape)
                                            : chord::Tensor::empty<float>(context, shape);
}

/// The outputs for sequences in a file, their loss and its gradients.
int predict_sequences(const PredictOptions& options) {
  const std::string& input = options.inputs.front();
  program::use_threads(options.threads);
  if (options.gradients == options.output) throw program::Misuse("--gradients", "is the file of --output, too");
  program::expect_writable(options.output, options.files_read());
  if (!options.gradients.empty()) program::expect_writable(options.gradients, options.files_read());
  auto context = program::open_device(options.device, 32);
  auto content = chord::read_npy(context, input);
  const chord::Shape shape = shape_of(content);
  auto [model, task, encoding] = load_task_model(context, options.model, options.task, shape.size() < 2 ? 0 : shape[1]);
  const auto info = model.info();
  const chord::Shape sequence =
      info.features > 0 ? chord::Shape{info.length, info.features} : chord::Shape{info.length};
  const auto inputs = fitted(context, std::move(content), input, info.input_type, sequence);
  const int64_t count = shape_of(inputs)[0];
  const int64_t batch = options.batch > 0 ? options.batch : find_task(task).batch;
  chord::Tensor labels;
  if (!options.labels.empty()) {
    labels = fitted(context, chord::read_npy(context, options.labels), options.labels, info.label_type, {});
    if (shape_of(labels)[0] != count)
      throw std::runtime_error(options.labels + ": has " + std::to_string(shape_of(labels)[0]) + " labels for " +
                               std::to_string(count) + " sequences");
  }

  auto outputs = outputs_like(context, info, count);
  Score score;
  for (int64_t first = 0; first < count; first += batch) {
    const int64_t some = std::min(batch, count - first);
    auto part = slice(outputs, first, some);
    model.forward(slice(inputs, first, some), part);
    if (labels.get()) score.add(model.evaluate(slice(inputs, first, some), slice(labels, first, some)));
  }
  chord::write_npy(with_type(context, std::move(outputs), CHORD_FLOAT32), options.output);
  if (!options.gradients.empty()) {
    auto how = chord::train_options();
    how.micro_batch = std::min(batch, count);
    model.gradients(inputs, labels, how);
    model.save_gradients(options.gradients);
  }
  if (labels.get())
    std::printf("%s\n",
                Json{{"loss", score.loss()}, {"correct", score.correct}, {"count", score.count}}.dump().c_str());
  else
    std::printf("%s\n", options.output.c_str());
  return 0;
}

}  // namespace

int predict(const PredictOptions& options) {
  if (std::any_of(options.inputs.begin(), options.inputs.end(), is_npy)) {
    if (options.inputs.size() > 1) throw program::Misuse("--input", "expected one npy file, or raw inputs only");
    if (options.output.empty()) throw program::Misuse::missing("--output");
    return predict_sequences(options);
  }
  if (!options.labels.empty()) throw program::Misuse("--labels", "is for sequences in an npy file");
  return classify(options);
}

}  // namespace train
