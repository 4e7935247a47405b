#include "nn/model.hpp"

#include <cmath>

#include "capi/arguments.hpp"
#include "capi/handles.hpp"
#include "nn/presets.hpp"

using namespace chord;
using namespace chord::capi;

static_assert(int(Memory::low) == CHORD_MEMORY_LOW);
static_assert(int(Optimizer::sgd) == CHORD_OPTIMIZER_SGD);
static_assert(int(LayerPlace::Kind::outputs) == CHORD_LAYER_OUTPUTS);
static_assert(KeptLosses::places == CHORD_KEPT_LOSSES);

namespace {

Model& value_of(const chord_model* model) { return *checked(model, "model").value; }

double positive(double value, const char* name, double otherwise) {
  if (value == 0) return otherwise;
  if (!(value > 0 && std::isfinite(value)))
    fail(Status::invalid_argument, name, " is ", value, "; expected a number above 0, or 0");
  return value;
}

double not_negative(double value, const char* name) {
  if (!(value >= 0 && std::isfinite(value)))
    fail(Status::invalid_argument, name, " is ", value, "; expected 0, or a number above");
  return value;
}

double decay(double value, const char* name, double otherwise) {
  if (!(positive(value, name, otherwise) < 1))
    fail(Status::invalid_argument, name, " is ", value, "; expected below 1");
  return value == 0 ? otherwise : value;
}

Optimizer optimizer_of(const chord_train_options& given) {
  if (given.optimizer != CHORD_OPTIMIZER_ADAM && given.optimizer != CHORD_OPTIMIZER_SGD)
    fail(Status::invalid_argument, "optimizer is ", given.optimizer, "; expected CHORD_OPTIMIZER_ADAM or _SGD, 0 or 1");
  if (!(given.momentum >= 0 && given.momentum < 1))
    fail(Status::invalid_argument, "momentum is ", given.momentum, "; expected 0 to below 1");
  if (given.momentum > 0 && given.optimizer != CHORD_OPTIMIZER_SGD)
    fail(Status::invalid_argument, "momentum is ", given.momentum, "; Adam has beta1 instead");
  return Optimizer(given.optimizer);
}

Share share_of(const chord_train_options& given) {
  if (given.first_sequence < 0 || given.whole_batch < 0)
    fail(Status::invalid_argument, "first_sequence is ", given.first_sequence, ", whole_batch is ", given.whole_batch,
         "; expected 0 or more");
  return {given.first_sequence, given.whole_batch, flag(given.dropout, "dropout"),
          flag(given.accumulate, "accumulate")};
}

StepOptions step_options(const chord_train_options* options) {
  const chord_train_options given = read_struct(options, "options");
  StepOptions result;
  result.adam.optimizer = optimizer_of(given);
  result.adam.momentum = given.momentum;
  result.share = share_of(given);
  result.adam.learning_rate = positive(given.learning_rate, "learning_rate", result.adam.learning_rate);
  result.adam.beta1 = decay(given.beta1, "beta1", result.adam.beta1);
  result.adam.beta2 = decay(given.beta2, "beta2", result.adam.beta2);
  result.adam.epsilon = positive(given.epsilon, "epsilon", result.adam.epsilon);
  result.adam.weight_decay = not_negative(given.weight_decay, "weight_decay");
  result.adam.clip_norm = not_negative(given.clip_norm, "clip_norm");
  if (given.micro_batch < 0)
    fail(Status::invalid_argument, "micro_batch is ", given.micro_batch, "; expected 0 or more");
  result.micro_batch = given.micro_batch;
  if (given.memory < CHORD_MEMORY_AUTO || given.memory > CHORD_MEMORY_LOW)
    fail(Status::invalid_argument, "memory is ", given.memory,
         "; expected CHORD_MEMORY_AUTO to CHORD_MEMORY_LOW, 0 to 2");
  result.memory = Memory(given.memory);
  if (given.lengths) result.lengths = checked(given.lengths, "lengths").value;
  return result;
}

/// Of a whole batch.
StepOptions whole_step_options(const chord_train_options* options) {
  const StepOptions result = step_options(options);
  if (!(result.share == Share{}))
    fail(Status::invalid_argument,
         "first_sequence, whole_batch, dropout or accumulate is not 0, but a training step is of a whole batch; "
         "chord_model_gradients and chord_model_apply_gradients take steps of parts");
  return result;
}

LayerPlace layer_place(chord_layer layer, std::int64_t block, std::int64_t factor) {
  if (layer < CHORD_LAYER_EMBEDDING || layer > CHORD_LAYER_OUTPUTS)
    fail(Status::invalid_argument, "layer is ", layer,
         "; expected CHORD_LAYER_EMBEDDING to CHORD_LAYER_OUTPUTS, 0 to 4");
  return {LayerPlace::Kind(layer), block, factor};
}

void fill_result(chord_step_result* result, const StepResult& value) {
  if (result) fill_info(result, chord_step_result{0, value.loss, value.correct, value.count}, "result");
}

}  // namespace

chord_status chord_model_preset(const char* name, const char** json) {
  return guarded(__func__, [&] { *required(json, "json") = preset_json(required(name, "name")).c_str(); });
}

chord_status chord_model_preset_count(int32_t* count) {
  return guarded(__func__, [&] { count_items(preset_names(), count); });
}

chord_status chord_model_preset_name(int32_t index, const char** name) {
  return guarded(__func__, [&] { *required(name, "name") = item(preset_names(), index).c_str(); });
}

chord_status chord_model_key_count(int32_t* count) {
  return guarded(__func__, [&] { count_items(model_keys(), count); });
}

chord_status chord_model_key_get_info(int32_t index, chord_model_key_info* info) {
  return guarded(__func__, [&] {
    const ModelKey& key = item(model_keys(), index);
    chord_model_key_info value{};
    value.name = key.name;
    value.description = key.meaning;
    value.kind = std::int32_t(key.kind);
    value.required = key.required;
    value.lowest = key.lowest;
    value.highest = key.highest;
    value.choices = key.choices_json.c_str();
    value.default_value = key.default_json.c_str();
    fill_info(info, value, "info");
  });
}

chord_status chord_model_create(chord_context* context, const char* json, uint64_t seed, chord_model** model) {
  return guarded(__func__, [&] {
    required(model, "model");
    const ModelDescription description = ModelDescription::parse(required(json, "json"));
    *model = make_handle<chord_model>(Model::create(checked(context, "context").value, description, seed));
  });
}

chord_status chord_model_load(chord_context* context, const char* path, const char* json, chord_model** model) {
  return guarded(__func__, [&] {
    required(model, "model");
    std::optional<ModelDescription> description;
    if (json) description = ModelDescription::parse(json);
    *model =
        make_handle<chord_model>(Model::load(checked(context, "context").value, required(path, "path"), description));
  });
}

chord_status chord_model_save(const chord_model* model, const char* path, int32_t with_optimizer, const char* note) {
  return guarded(__func__, [&] {
    value_of(model).save(required(path, "path"), flag(with_optimizer, "with_optimizer"), note ? note : "");
  });
}

chord_status chord_model_note(const chord_model* model, const char** note) {
  return guarded(__func__, [&] { *required(note, "note") = value_of(model).note().c_str(); });
}

chord_status chord_model_destroy(chord_model* model) {
  return guarded(__func__, [&] { destroy_handle(model, "model"); });
}

chord_status chord_model_description(const chord_model* model, const char** json) {
  return guarded(__func__, [&] { *required(json, "json") = value_of(model).json().c_str(); });
}

chord_status chord_model_get_info(const chord_model* model, chord_model_info* info) {
  return guarded(__func__, [&] {
    const Model& value = value_of(model);
    const ModelDescription& description = value.description();
    const bool tokens = description.input == InputKind::tokens;
    chord_model_info about{};
    about.parameters = value.parameters().trainable;
    about.step = value.step();
    about.seed = value.seed();
    about.length = description.length;
    about.features = tokens ? 0 : description.features;
    about.vocabulary = tokens ? description.vocabulary : 0;
    about.classes = description.classes;
    about.input_type = std::int32_t(description.input_type());
    about.label_type = std::int32_t(description.label_type());
    about.output_type = std::int32_t(description.type());
    fill_info(info, about, "info");
  });
}

chord_status chord_model_plan(const chord_model* model, int64_t batch, int32_t training,
                              const chord_train_options* options, chord_model_memory* info) {
  return guarded(__func__, [&] {
    if (batch < 1) fail(Status::invalid_argument, "batch is ", batch, "; expected 1 or more");
    const MemoryPlan plan = value_of(model).plan(batch, flag(training, "training"), step_options(options));
    chord_model_memory about{};
    about.parameter_bytes = std::uint64_t(plan.parameter_bytes);
    about.activation_bytes = std::uint64_t(plan.activation_bytes);
    about.peak_bytes = std::uint64_t(plan.peak_bytes());
    about.memory = std::int32_t(plan.memory);
    fill_info(info, about, "info");
  });
}

chord_status chord_model_forward(chord_model* model, const chord_tensor* inputs, chord_tensor* outputs) {
  return guarded(__func__, [&] {
    value_of(model).forward(checked(inputs, "inputs").value, checked(outputs, "outputs").value, {});
  });
}

chord_status chord_model_forward_with(chord_model* model, const chord_tensor* inputs,
                                      const chord_train_options* options, chord_tensor* outputs) {
  return guarded(__func__, [&] {
    value_of(model).forward(checked(inputs, "inputs").value, checked(outputs, "outputs").value, step_options(options));
  });
}

chord_status chord_model_evaluate(chord_model* model, const chord_tensor* inputs, const chord_tensor* labels,
                                  chord_step_result* result) {
  return guarded(__func__, [&] {
    check_struct(required(result, "result"), "result");
    fill_result(result, value_of(model).evaluate(checked(inputs, "inputs").value, checked(labels, "labels").value, {}));
  });
}

chord_status chord_model_evaluate_with(chord_model* model, const chord_tensor* inputs, const chord_tensor* labels,
                                       const chord_train_options* options, chord_step_result* result) {
  return guarded(__func__, [&] {
    check_struct(required(result, "result"), "result");
    fill_result(result, value_of(model).evaluate(checked(inputs, "inputs").value, checked(labels, "labels").value,
                                                 step_options(options)));
  });
}

chord_status chord_model_gradients(chord_model* model, const chord_tensor* inputs, const chord_tensor* labels,
                                   const chord_train_options* options, chord_step_result* result) {
  return guarded(__func__, [&] {
    if (result) check_struct(result, "result");
    fill_result(result, value_of(model).gradients(checked(inputs, "inputs").value, checked(labels, "labels").value,
                                                  step_options(options)));
  });
}

chord_status chord_model_backward(chord_model* model, const chord_tensor* inputs, const chord_tensor* doutputs,
                                  chord_tensor* dinputs, const chord_train_options* options) {
  return guarded(__func__, [&] {
    value_of(model).backward(checked(inputs, "inputs").value, checked(doutputs, "doutputs").value,
                             dinputs ? &checked(dinputs, "dinputs").value : nullptr, step_options(options));
  });
}

chord_status chord_model_layer_forward(chord_model* model, chord_layer layer, int64_t block, int64_t factor,
                                       const chord_tensor* in, const chord_train_options* options, chord_tensor* out) {
  return guarded(__func__, [&] {
    value_of(model).layer_forward(layer_place(layer, block, factor), checked(in, "in").value, checked(out, "out").value,
                                  step_options(options));
  });
}

chord_status chord_model_layer_backward(chord_model* model, chord_layer layer, int64_t block, int64_t factor,
                                        const chord_tensor* in, const chord_tensor* dout,
                                        const chord_train_options* options, chord_tensor* din, int32_t accumulate) {
  return guarded(__func__, [&] {
    value_of(model).layer_backward(layer_place(layer, block, factor), checked(in, "in").value,
                                   checked(dout, "dout").value, din ? &checked(din, "din").value : nullptr,
                                   flag(accumulate, "accumulate"), step_options(options));
  });
}

chord_status chord_model_loss(chord_model* model, const chord_tensor* outputs, const chord_tensor* labels,
                              const chord_train_options* options, chord_tensor* doutputs, chord_step_result* result) {
  return guarded(__func__, [&] {
    check_struct(required(result, "result"), "result");
    fill_result(result,
                value_of(model).loss(checked(outputs, "outputs").value, checked(labels, "labels").value,
                                     doutputs ? &checked(doutputs, "doutputs").value : nullptr, step_options(options)));
  });
}

chord_status chord_model_apply_gradients(chord_model* model, const chord_train_options* options) {
  return guarded(__func__, [&] { value_of(model).apply_gradients(whole_step_options(options).adam); });
}

chord_status chord_model_train_step(chord_model* model, const chord_tensor* inputs, const chord_tensor* labels,
                                    const chord_train_options* options, chord_step_result* result) {
  return guarded(__func__, [&] {
    if (result) check_struct(result, "result");
    const Tensor &x = checked(inputs, "inputs").value, &y = checked(labels, "labels").value;
    if (result)
      fill_result(result, value_of(model).train_step(x, y, whole_step_options(options)));
    else
      value_of(model).queue_train_step(x, y, whole_step_options(options));
  });
}

chord_status chord_model_take_losses(chord_model* model, int64_t capacity, double* losses, int64_t* correct,
                                     int64_t* count, int64_t* lost) {
  return guarded(__func__, [&] {
    if (capacity < 0) fail(Status::invalid_argument, "capacity is ", capacity, "; expected 0 or more");
    if (capacity > 0) required(losses, "losses");
    required(count, "count");
    const KeptLosses::Taken taken = value_of(model).take_losses(capacity);
    for (std::size_t i = 0; i < taken.results.size(); ++i) {
      losses[i] = taken.results[i].loss;
      if (correct) correct[i] = taken.results[i].correct;
    }
    *count = std::int64_t(taken.results.size());
    if (lost) *lost = taken.lost;
  });
}

chord_status chord_model_parameter_count(const chord_model* model, int64_t* count) {
  return guarded(__func__, [&] { *required(count, "count") = std::int64_t(value_of(model).parameters().all.size()); });
}

chord_status chord_model_parameter_name(const chord_model* model, int64_t index, const char** name) {
  return guarded(__func__, [&] {
    const auto& all = value_of(model).parameters().all;
    if (index < 0 || index >= std::int64_t(all.size()))
      fail(Status::invalid_argument, "index is ", index, "; expected 0 to ", all.size() - 1);
    *required(name, "name") = all[std::size_t(index)].name.c_str();
  });
}

chord_status chord_model_parameter(const chord_model* model, const char* name, chord_tensor** tensor) {
  return guarded(__func__, [&] {
    required(tensor, "tensor");
    *tensor = make_handle<chord_tensor>(value_of(model).parameter(required(name, "name")));
  });
}

chord_status chord_model_gradient(const chord_model* model, const char* name, chord_tensor** tensor) {
  return guarded(__func__, [&] {
    required(tensor, "tensor");
    *tensor = make_handle<chord_tensor>(value_of(model).gradient(required(name, "name")));
  });
}

chord_status chord_model_get_parameters(const chord_model* model, chord_tensor** parameters) {
  return guarded(__func__, [&] {
    required(parameters, "parameters");
    *parameters = make_handle<chord_tensor>(value_of(model).all_parameters());
  });
}

chord_status chord_model_get_gradients(chord_model* model, chord_tensor** gradients) {
  return guarded(__func__, [&] {
    required(gradients, "gradients");
    *gradients = make_handle<chord_tensor>(value_of(model).all_gradients());
  });
}

chord_status chord_model_get_moments(chord_model* model, chord_tensor** first, chord_tensor** second) {
  return guarded(__func__, [&] {
    required(first, "first");
    required(second, "second");
    const auto [m, v] = value_of(model).moments();
    Owned<chord_tensor> kept(make_handle<chord_tensor>(m));
    *second = make_handle<chord_tensor>(v);
    *first = kept.release();
  });
}

chord_status chord_model_set_step(chord_model* model, int64_t step) {
  return guarded(__func__, [&] { value_of(model).set_step(step); });
}

chord_status chord_model_save_gradients(const chord_model* model, const char* path) {
  return guarded(__func__, [&] { value_of(model).save_gradients(required(path, "path")); });
}

chord_status chord_model_attention(chord_model* model, const chord_tensor* inputs, int64_t block,
                                   const int64_t* indices, int64_t count, chord_tensor* out) {
  return guarded(__func__, [&] {
    const Tensor& rows = checked(out, "out").value;
    value_of(model).attention(checked(inputs, "inputs").value, block, row_indices(indices, count, rows), rows, {});
  });
}

chord_status chord_model_attention_with(chord_model* model, const chord_tensor* inputs, int64_t block,
                                        const int64_t* indices, int64_t count, const chord_train_options* options,
                                        chord_tensor* out) {
  return guarded(__func__, [&] {
    const Tensor& rows = checked(out, "out").value;
    value_of(model).attention(checked(inputs, "inputs").value, block, row_indices(indices, count, rows), rows,
                              step_options(options));
  });
}
