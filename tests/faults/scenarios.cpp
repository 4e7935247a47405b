#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "handles.hpp"
#include "io/png.hpp"

namespace faults {
namespace {

namespace fs = std::filesystem;

constexpr chord_status wrong_numbers = -1;  // what no call returns

chord_status make_tensor(chord_context* context, chord_type type, std::initializer_list<int64_t> shape,
                         const void* data, chord_tensor** tensor) {
  return data ? chord_tensor_create_from_host(context, type, int32_t(shape.size()), shape.begin(), data, tensor)
              : chord_tensor_create(context, type, int32_t(shape.size()), shape.begin(), tensor);
}

// What a process does first: lists are made, devices and backends are looked for, threads are started.
chord_status opening(const Place& place) {
  int32_t count = 0;
  TRY(chord_backend_count(&count));
  chord_backend_info backend = CHORD_BACKEND_INFO_INIT;
  for (int32_t i = 0; i < count; ++i) TRY(chord_backend_get_info(i, &backend));
  TRY(chord_device_count(&count));
  Context context;
  TRY(chord_context_create(place.device.c_str(), &context));
  Tensor tensor;
  TRY(make_tensor(context, CHORD_FLOAT32, {600, 600}, nullptr, &tensor));
  TRY(chord_tensor_fill(tensor, 1));
  TRY(chord_context_wait(context));
  chord_device_info device = CHORD_DEVICE_INFO_INIT;
  TRY(chord_device_get_info(0, &device));
  TRY(chord_context_get_device(context, &device));
  const char* text = nullptr;
  TRY(chord_cache_directory(&text));
  TRY(chord_kernel_source(&text));
  return chord_kernel_ptx(&text);
}

/// What there is to choose from, asked for first of all.
chord_status listing(const Place&) {
  TRY(chord_set_log_callback([](int32_t, const char*, void*) {}, nullptr));
  int32_t count = 0, major = 0, minor = 0;
  TRY(chord_version(&major, &minor, &count));
  TRY(chord_abi_version(&count));
  const char* text = nullptr;
  TRY(chord_model_preset_count(&count));
  TRY(chord_model_preset_name(0, &text));
  TRY(chord_model_preset("text", &text));
  chord_model_key_info key = CHORD_MODEL_KEY_INFO_INIT;
  TRY(chord_model_key_count(&count));
  TRY(chord_model_key_get_info(0, &key));
  chord_task_info task = CHORD_TASK_INFO_INIT;
  double percent = 0;
  TRY(chord_task_count(&count));
  TRY(chord_task_get_info(0, &task));
  TRY(chord_task_get_published_accuracy(0, 128, &percent));
  chord_name_info name = CHORD_NAME_INFO_INIT;
  for (const auto counted : {chord_constraint_count, chord_part_kind_count, chord_stop_count}) TRY(counted(&count));
  for (const auto named : {chord_constraint_get_info, chord_part_kind_get_info, chord_stop_get_info})
    TRY(named(0, &name));
  int64_t factors = 0;
  return chord_full_chain_length(1000, 2, &factors);
}

chord_status tensors(const Place& place) {
  Context context;
  TRY(chord_context_create(place.device.c_str(), &context));
  const float values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  float back[12];
  Tensor a, b, view, c, read;
  TRY(make_tensor(context, CHORD_FLOAT32, {4, 3}, values, &a));
  TRY(make_tensor(context, CHORD_FLOAT32, {4, 3}, nullptr, &b));
  TRY(chord_tensor_fill(b, 0.5));
  const int64_t shape[] = {3, 4}, strides[] = {1, 3};
  TRY(chord_tensor_view(a, 2, shape, strides, 0, &view));
  TRY(make_tensor(context, CHORD_FLOAT32, {3, 4}, nullptr, &c));
  TRY(chord_tensor_copy(view, c));
  TRY(chord_tensor_to_host(c, back, sizeof back));
  if (back[1] != 4) return wrong_numbers;
  TRY(chord_tensor_from_host(b, values, sizeof values));
  TRY(chord_tensor_write_npy(view, place.npy.c_str()));
  TRY(chord_tensor_read_npy(context, place.npy.c_str(), &read));
  TRY(chord_tensor_to_host(read, back, sizeof back));
  if (back[1] != 4) return wrong_numbers;
  NpyWriter writer;
  TRY(chord_npy_writer_create(place.pieces.c_str(), CHORD_FLOAT32, 2, shape, &writer));
  TRY(chord_npy_writer_write(writer, values, sizeof values));
  TRY(chord_npy_writer_commit(writer));
  TRY(chord_write_file(place.plain.c_str(), "whole", 5));
  if (!place.on_host()) return chord_context_wait(context);
  DLManagedTensorVersioned* managed = nullptr;
  TRY(chord_tensor_to_dlpack(a, &managed));
  Tensor imported;
  const chord_status status = chord_tensor_from_dlpack(context, managed, &imported);
  // What was not taken is still ours; the library's own can be asked to take it once more.
  if (status != CHORD_SUCCESS) {
    const Paused paused;
    if (chord_tensor_from_dlpack(context, managed, &imported) != CHORD_SUCCESS) return wrong_numbers;
    return status;
  }
  TRY(chord_context_trim(context));
  return chord_context_wait(context);
}

/// A tensor's memory is written by the caller, and the caller's is a tensor.
chord_status own_memory(chord_context* context, chord_tensor* tensor) {
  void* data = nullptr;
  TRY(chord_tensor_map(tensor, &data));
  const float first = *static_cast<float*>(data);
  TRY(chord_tensor_unmap(tensor));
  static float own[4];
  const int64_t shape[] = {4};
  int released = 0;
  Tensor wrapped;
  TRY(chord_tensor_wrap(
      context, CHORD_FLOAT32, 1, shape, nullptr, own, [](void* count) { ++*static_cast<int*>(count); }, &released,
      &wrapped));
  TRY(chord_tensor_data(wrapped, &data));
  wrapped.reset();
  return first == 1 && data == own && released == 1 ? CHORD_SUCCESS : wrong_numbers;
}

/// Memory, what knows of it, and a context that is closed with all that is in it.
chord_status memories(const Place& place) {
  Context context;
  TRY(chord_context_create(place.device.c_str(), &context));
  const float values[] = {1, 2, 3, 4};
  const int64_t shape[] = {2, 2};
  Tensor copied;
  TRY(chord_tensor_create_from_bytes(context, CHORD_FLOAT32, 2, shape, values, sizeof values, &copied));
  chord_tensor_info info = CHORD_TENSOR_INFO_INIT;
  TRY(chord_tensor_get_info(copied, &info));
  if (place.on_host()) TRY(own_memory(context, copied));
  chord_memory_info memory = CHORD_MEMORY_INFO_INIT;
  TRY(chord_context_get_memory(context, &memory));
  int64_t objects = 0;
  TRY(chord_context_count_objects(context, &objects));
  char message[8];
  TRY(chord_last_error_copy(message, sizeof message, nullptr));
  const chord_status closed = chord_context_close(context);
  copied.gone();
  context.gone();
  return closed;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string check_tensors(const Place& place, bool) {
  Context context;
  Tensor tensor;
  if (chord_context_create("host", &context) != CHORD_SUCCESS) return "no host";
  for (const std::string& path : {place.npy, place.pieces})
    if (chord_tensor_read_npy(context, path.c_str(), &tensor) != CHORD_SUCCESS) return chord_last_error();
  return content_of(place.plain) == "whole" ? "" : place.plain + " is not whole";
}

chord_status chains(const Place& place) {
  Context context;
  TRY(chord_context_create(place.device.c_str(), &context));
  constexpr int64_t n = 8, links = 4, factors = 3, columns = 2;
  Pattern pattern, custom;
  TRY(chord_pattern_create_chord(context, n, 2, links, &pattern));
  const int64_t offsets[] = {0, 3};
  TRY(chord_pattern_create_symmetric(context, n, 2, 2, &custom));
  TRY(chord_pattern_create_custom(context, n, 2, offsets, &custom));
  int64_t size = 0, custom_links = 0, found[2];
  TRY(chord_pattern_get_size(custom, &size, &custom_links));
  TRY(chord_pattern_get_offsets(custom, found, 2));
  static const std::vector<double> ones(std::size_t(factors * n * links), 0.25);
  Tensor w, v, z, tape, dw, dv, single, rows, dense;
  TRY(make_tensor(context, CHORD_FLOAT64, {factors, n, links}, ones.data(), &w));
  TRY(make_tensor(context, CHORD_FLOAT64, {n, columns}, ones.data(), &v));
  TRY(make_tensor(context, CHORD_FLOAT64, {n, columns}, nullptr, &z));
  TRY(make_tensor(context, CHORD_FLOAT64, {factors, n, columns}, nullptr, &tape));
  TRY(make_tensor(context, CHORD_FLOAT64, {factors, n, links}, nullptr, &dw));
  TRY(make_tensor(context, CHORD_FLOAT64, {n, columns}, nullptr, &dv));
  TRY(make_tensor(context, CHORD_FLOAT64, {n, 2}, ones.data(), &single));
  TRY(chord_product(custom, single, v, z, 0));
  TRY(chord_product_gradient_values(custom, single, z, dv, 0));
  TRY(chord_product_gradient_weights(custom, z, v, single, 0));
  Chain chain;
  TRY(chord_chain_create(pattern, w, 1, &chain));
  TRY(chord_chain_apply(chain, v, z, nullptr));
  TRY(chord_chain_apply_transposed(chain, v, z));
  const int64_t indices[] = {5};
  TRY(make_tensor(context, CHORD_FLOAT64, {1, n}, nullptr, &rows));
  TRY(chord_chain_rows(chain, indices, 1, rows));
  TRY(make_tensor(context, CHORD_FLOAT64, {n, n}, nullptr, &dense));
  TRY(chord_chain_dense(chain, dense));
  TRY(chord_chain_gradient(chain, v, nullptr, z, dw, dv, 0));
  return chord_context_wait(context);
}

chord_status reading(const Place& place) {
  Matrix matrix;
  chord_matrix_info info = CHORD_MATRIX_INFO_INIT;
  double values[16];
  for (const std::string* path : {&place.mtx, &place.npy, &place.png, &place.tensors}) {
    TRY(chord_matrix_read(path->c_str(), &matrix));
    TRY(chord_matrix_get_info(matrix, &info));
    TRY(chord_matrix_to_dense(matrix, values, std::size_t(info.rows * info.columns) * sizeof values[0]));
  }
  const int64_t places[] = {0, 1};
  const double entries[] = {1, 2};
  TRY(chord_matrix_create_sparse(3, 2, places, places, entries, &matrix));
  TRY(chord_matrix_rows(matrix, places, 2, values));
  TRY(chord_matrix_create_dense(2, values, &matrix));
  TRY(chord_matrix_create_sparse_rectangle(2, 3, 2, places, places, entries, &matrix));
  return chord_matrix_create_rectangle(2, 3, values, &matrix);
}

constexpr int64_t fitted_n = 8;

chord_status pattern_and_matrix(const Place& place, Context& context, Pattern& pattern, Matrix& matrix) {
  static const std::vector<double> values = [] {
    std::vector<double> made;
    for (int64_t i = 0; i < fitted_n * fitted_n; ++i) made.push_back(std::sin(double(i * i)));
    return made;
  }();
  TRY(chord_context_create(place.device.c_str(), &context));
  TRY(chord_pattern_create_chord(context, fitted_n, 2, 0, &pattern));
  return chord_matrix_create_dense(fitted_n, values.data(), &matrix);
}

chord_status factorizing(const Place& place) {
  Context context;
  Pattern pattern;
  Matrix matrix;
  TRY(pattern_and_matrix(place, context, pattern, matrix));
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  options.iterations = 4;
  options.restarts = 2;
  options.checkpoint = place.checkpoint.c_str();
  options.checkpoint_seconds = 1e-9;
  Factorization found, loaded, resumed;
  TRY(chord_factorize(pattern, matrix, &options, &found));
  TRY(chord_factorization_save(found, place.factors.c_str()));
  TRY(chord_factorization_load(context, place.factors.c_str(), &loaded));
  Chain chain;
  TRY(chord_factorization_get_chain(loaded, &chain));
  options.resume = loaded;
  options.iterations = 3;
  options.constraint = CHORD_CONSTRAINT_NONE;
  TRY(chord_factorize(pattern, matrix, &options, &resumed));
  Tensor dense;
  TRY(make_tensor(context, CHORD_FLOAT64, {fitted_n, fitted_n}, nullptr, &dense));
  TRY(chord_factorization_dense(resumed, dense));
  chord_factorization_info info = CHORD_FACTORIZATION_INFO_INIT;
  TRY(chord_factorization_get_info(resumed, &info));
  return chord_context_wait(context);
}

/// Looks at each part of X̂ = P + U Vᵀ + entries.
chord_status look_at_parts(chord_factorization* sum) {
  int32_t parts = 0;
  TRY(chord_factorization_part_count(sum, &parts));
  if (parts != 3) return wrong_numbers;
  chord_part_info info = CHORD_PART_INFO_INIT;
  for (int32_t i = 0; i < parts; ++i) TRY(chord_factorization_get_part(sum, i, &info));
  Tensor tensor;
  for (const char* name : {"u", "v", "entry_rows", "entry_values"})
    TRY(chord_factorization_get_tensor(sum, name, &tensor));
  TRY(chord_factorization_get_weights(sum, &tensor));
  Pattern pattern;
  return chord_factorization_get_pattern(sum, &pattern);
}

chord_status apply_sum(chord_context* context, chord_factorization* sum) {
  static const std::vector<double> ones(fitted_n, 1);
  Tensor v, z, rows;
  TRY(make_tensor(context, CHORD_FLOAT64, {fitted_n, 1}, ones.data(), &v));
  TRY(make_tensor(context, CHORD_FLOAT64, {fitted_n, 1}, nullptr, &z));
  for (const chord_flag transposed : {0, 1}) TRY(chord_factorization_apply(sum, v, z, transposed));
  TRY(make_tensor(context, CHORD_FLOAT64, {2, fitted_n}, nullptr, &rows));
  const int64_t indices[] = {1, 6};
  TRY(chord_factorization_rows(sum, indices, 2, rows));
  return chord_context_wait(context);
}

/// A low rank and single entries beside the factors, fitted, kept, loaded, used, and gone on with.
chord_status sums(const Place& place) {
  Context context;
  Pattern pattern;
  Matrix matrix;
  TRY(pattern_and_matrix(place, context, pattern, matrix));
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  options.factors = 2;
  options.rank = 1;
  options.entries = 2;
  options.iterations = 4;
  options.restarts = 1;
  options.checkpoint = place.checkpoint.c_str();
  options.checkpoint_seconds = 1e-9;
  uint64_t bytes = 0;
  TRY(chord_factorize_memory(pattern, matrix, &options, &bytes));
  Factorization found, loaded, resumed;
  TRY(chord_factorize(pattern, matrix, &options, &found));
  TRY(chord_factorization_save(found, place.factors.c_str()));
  TRY(chord_factorization_load(context, place.factors.c_str(), &loaded));
  TRY(look_at_parts(loaded));
  TRY(apply_sum(context, loaded));
  options.resume = loaded;
  options.iterations = 3;
  return chord_factorize(pattern, matrix, &options, &resumed);
}

/// So many numbers, split in the best way.
chord_status splitting(const Place& place) {
  Context context;
  Pattern pattern;
  Matrix matrix;
  TRY(pattern_and_matrix(place, context, pattern, matrix));
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  options.numbers = 40;
  options.iterations = 12;
  options.restarts = 1;
  Factorization found;
  TRY(chord_factorize(pattern, matrix, &options, &found));
  double error = 0, singular_values[fitted_n];
  return chord_matrix_truncated_svd(matrix, 2, &error, singular_values, nullptr);
}

std::string check_factorizing(const Place& place, bool) {
  Context context;
  Factorization factorization;
  if (chord_context_create("host", &context) != CHORD_SUCCESS) return "no host";
  for (const std::string& path : {place.factors, place.checkpoint})
    if (chord_factorization_load(context, path.c_str(), &factorization) != CHORD_SUCCESS) return chord_last_error();
  return "";
}

/// A diagonal and a rank of one.
int32_t apply_operator(const double* in, double* out, int64_t columns, chord_flag, void*) {
  for (int64_t c = 0; c < columns; ++c) {
    double sum = 0;
    for (int64_t i = 0; i < fitted_n; ++i) sum += in[i * columns + c];
    for (int64_t i = 0; i < fitted_n; ++i) out[i * columns + c] = double(i) * in[i * columns + c] + sum;
  }
  return 0;
}

chord_status operators(const Place& place) {
  Context context;
  Pattern pattern;
  TRY(chord_context_create(place.device.c_str(), &context));
  TRY(chord_pattern_create_chord(context, fitted_n, 2, 0, &pattern));
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  options.iterations = 4;
  options.factors = 2;
  options.exact_error = 1;
  uint64_t bytes = 0;
  TRY(chord_factorize_operator_memory(pattern, &options, &bytes));
  Factorization found;
  return chord_factorize_operator(pattern, apply_operator, nullptr, &options, &found);
}

chord_status jobs(const Place& place) {
  Context context;
  Pattern pattern;
  Matrix matrix;
  TRY(pattern_and_matrix(place, context, pattern, matrix));
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  options.iterations = 5;
  options.precision = 32;
  Job job;
  TRY(chord_factorize_start(pattern, matrix, &options, &job));
  chord_factorize_progress progress = CHORD_FACTORIZE_PROGRESS_INIT;
  TRY(chord_job_poll(job, nullptr, &progress));
  TRY(chord_job_wait(job, -1, nullptr));
  Factorization found;
  TRY(chord_job_get_factorization(job, &found));
  TRY(chord_factorize_start(pattern, matrix, &options, &job));
  return chord_job_cancel(job);
}

constexpr const char* small_model =
    R"({"input": "tokens", "vocabulary": 5, "length": 4, "width": 3, "hidden_f": 2, "hidden_g": 2, "channels": 2,
        "classes": 2, "dropout_values": 0.5, "positions": true, "residual": true})";

chord_status training(chord_context* context, chord_model* model) {
  const int32_t tokens[] = {0, 1, 2, 3, 4, 0, 1, 2}, classes[] = {0, 1}, sizes[] = {4, 3};
  Tensor inputs, labels, lengths, outputs, rows;
  TRY(make_tensor(context, CHORD_INT32, {2, 4}, tokens, &inputs));
  TRY(make_tensor(context, CHORD_INT32, {2}, classes, &labels));
  TRY(make_tensor(context, CHORD_INT32, {2}, sizes, &lengths));
  chord_model_memory memory = CHORD_MODEL_MEMORY_INIT;
  TRY(chord_model_plan(model, 2, 1, nullptr, &memory));
  chord_step_result result = CHORD_STEP_RESULT_INIT;
  for (int step = 0; step < 3; ++step) {
    TRY(chord_model_train_step(model, inputs, labels, nullptr, &result));
    if (!std::isfinite(result.loss)) return wrong_numbers;
  }
  chord_train_options options = CHORD_TRAIN_OPTIONS_INIT;
  options.lengths = lengths;
  options.clip_norm = 1;
  TRY(chord_model_train_step(model, inputs, labels, &options, nullptr));
  double losses[4];
  int64_t count = 0;
  TRY(chord_model_take_losses(model, 4, losses, nullptr, &count, nullptr));
  TRY(chord_model_evaluate(model, inputs, labels, &result));
  options.clip_norm = 0;
  options.memory = CHORD_MEMORY_LOW;
  TRY(chord_model_gradients(model, inputs, labels, &options, &result));
  TRY(chord_model_apply_gradients(model, nullptr));
  TRY(make_tensor(context, CHORD_FLOAT32, {2, 2}, nullptr, &outputs));
  TRY(chord_model_forward(model, inputs, outputs));
  const int64_t indices[] = {0};
  TRY(make_tensor(context, CHORD_FLOAT32, {2, 1, 4}, nullptr, &rows));
  TRY(chord_model_attention(model, inputs, 0, indices, 1, rows));
  return chord_context_wait(context);
}

/// Its layers one by one.
chord_status one_by_one(chord_context* context, chord_model* model) {
  const int32_t tokens[] = {0, 1, 2, 3}, classes[] = {1};
  Tensor inputs, labels, embedded, gradient, values, outputs;
  TRY(make_tensor(context, CHORD_INT32, {1, 4}, tokens, &inputs));
  TRY(make_tensor(context, CHORD_INT32, {1}, classes, &labels));
  TRY(make_tensor(context, CHORD_FLOAT32, {1, 4, 3}, nullptr, &embedded));
  TRY(make_tensor(context, CHORD_FLOAT32, {1, 4, 2}, nullptr, &gradient));
  TRY(make_tensor(context, CHORD_FLOAT32, {1, 4, 2}, nullptr, &values));
  TRY(make_tensor(context, CHORD_FLOAT32, {1, 2}, nullptr, &outputs));
  chord_train_options options = CHORD_TRAIN_OPTIONS_INIT;
  options.dropout = 1;
  TRY(chord_model_layer_forward(model, CHORD_LAYER_EMBEDDING, 0, 0, inputs, &options, embedded));
  TRY(chord_model_layer_forward(model, CHORD_LAYER_VALUES, 0, 0, embedded, &options, values));
  TRY(chord_model_layer_forward(model, CHORD_LAYER_HEAD, 0, 0, values, &options, outputs));
  chord_step_result result = CHORD_STEP_RESULT_INIT;
  TRY(chord_model_loss(model, outputs, labels, &options, nullptr, &result));
  TRY(chord_model_layer_backward(model, CHORD_LAYER_HEAD, 0, 0, values, outputs, &options, gradient, 0));
  return chord_model_layer_backward(model, CHORD_LAYER_VALUES, 0, 0, embedded, gradient, &options, nullptr, 0);
}

/// A model as somebody else's layer, and all its numbers at once.
chord_status layers(const Place& place) {
  Context context;
  Model model;
  TRY(chord_context_create(place.device.c_str(), &context));
  TRY(chord_model_create(context, small_model, 1, &model));
  const int32_t tokens[] = {0, 1, 2, 3, 4, 0, 1, 2}, classes[] = {0, 1}, sizes[] = {4, 3};
  static const float ones[] = {1, 1, 1, 1};
  Tensor inputs, labels, lengths, outputs, gradient, rows, numbers, moments;
  TRY(make_tensor(context, CHORD_INT32, {2, 4}, tokens, &inputs));
  TRY(make_tensor(context, CHORD_INT32, {2}, classes, &labels));
  TRY(make_tensor(context, CHORD_INT32, {2}, sizes, &lengths));
  TRY(make_tensor(context, CHORD_FLOAT32, {2, 2}, nullptr, &outputs));
  TRY(make_tensor(context, CHORD_FLOAT32, {2, 2}, ones, &gradient));
  TRY(make_tensor(context, CHORD_FLOAT32, {2, 1, 4}, nullptr, &rows));
  chord_train_options options = CHORD_TRAIN_OPTIONS_INIT;
  options.lengths = lengths;
  TRY(chord_model_forward_with(model, inputs, &options, outputs));
  TRY(chord_model_backward(model, inputs, gradient, nullptr, &options));
  chord_step_result result = CHORD_STEP_RESULT_INIT;
  TRY(chord_model_evaluate_with(model, inputs, labels, &options, &result));
  const int64_t indices[] = {0};
  TRY(chord_model_attention_with(model, inputs, 0, indices, 1, &options, rows));
  TRY(chord_model_get_parameters(model, &numbers));
  TRY(chord_model_get_gradients(model, &numbers));
  TRY(chord_model_get_moments(model, &numbers, &moments));
  int64_t count = 0;
  TRY(chord_model_parameter_count(model, &count));
  const char* name = nullptr;
  TRY(chord_model_parameter_name(model, count - 1, &name));
  TRY(chord_model_set_step(model, 7));
  TRY(one_by_one(context, model));
  return chord_context_wait(context);
}

chord_status modelling(const Place& place) {
  Context context;
  Model model, loaded;
  Tensor parameter, gradient;
  TRY(chord_context_create(place.device.c_str(), &context));
  TRY(chord_model_create(context, small_model, 1, &model));
  TRY(training(context, model));
  TRY(chord_model_parameter(model, "g.network.0.weight", &parameter));
  TRY(chord_model_gradient(model, "g.network.0.weight", &gradient));
  TRY(chord_model_save_gradients(model, place.gradients.c_str()));
  TRY(chord_model_save(model, place.model.c_str(), 1, "{\"epoch\": 1}"));
  TRY(chord_model_load(context, place.model.c_str(), nullptr, &loaded));
  const char* text = nullptr;
  TRY(chord_model_note(loaded, &text));
  TRY(chord_model_description(loaded, &text));
  chord_model_info info = CHORD_MODEL_INFO_INIT;
  TRY(chord_model_get_info(loaded, &info));
  return info.step == 5 ? chord_context_wait(context) : wrong_numbers;
}

std::string check_modelling(const Place& place, bool) {
  Context context;
  Model model;
  Matrix unused;
  if (chord_context_create("host", &context) != CHORD_SUCCESS) return "no host";
  if (chord_model_load(context, place.model.c_str(), nullptr, &model) != CHORD_SUCCESS) return chord_last_error();
  // Gradients are no matrix, but their file is looked at as a whole before that is found.
  chord_matrix_read(place.gradients.c_str(), &unused);
  const std::string found = chord_last_error();
  return found.find("there are: 'embedding.weight'") == std::string::npos &&
                 found.find("embedding.weight") == std::string::npos
             ? found
             : "";
}

chord_status one_pass(chord_dataset* dataset) {
  chord_batches_options options = CHORD_BATCHES_OPTIONS_INIT;
  options.batch = 2;
  options.shuffle = 1;
  Batches batches;
  TRY(chord_batches_create(dataset, &options, &batches));
  int64_t whole = 0;
  TRY(chord_batches_count(batches, &whole));
  for (int64_t count = 1; count > 0;) {
    const void *inputs = nullptr, *labels = nullptr;
    TRY(chord_batches_next(batches, &inputs, &labels, &count));
  }
  return CHORD_SUCCESS;
}

chord_status open_and_pass(const char* task, const char* split, const char* data) {
  chord_dataset_options options = CHORD_DATASET_OPTIONS_INIT;
  options.task = task;
  options.split = split;
  options.data = data;
  if (!data) {
    options.count = 5;
    options.length = 8;
  }
  Dataset dataset;
  TRY(chord_dataset_create(&options, &dataset));
  const char* encoding = nullptr;
  TRY(chord_dataset_encoding(dataset, &encoding));
  chord_dataset_info info = CHORD_DATASET_INFO_INIT;
  TRY(chord_dataset_get_info(dataset, &info));
  static float input[8192], label = 0;
  const auto bytes = std::size_t(info.length * std::max(info.features, int64_t(1))) * sizeof input[0];
  TRY(chord_dataset_read(dataset, 0, 1, input, bytes, &label, sizeof label));
  return one_pass(dataset);
}

chord_status datasets(const Place& place) {
  TRY(open_and_pass("adding", "train", nullptr));
  // Decoded and kept, then taken from the cache.
  for (int time = 0; time < 2; ++time) {
    TRY(open_and_pass("listops", "test", place.listops.c_str()));
    TRY(open_and_pass("text", "test", place.reviews.c_str()));
    TRY(open_and_pass("image", "test", place.pictures.c_str()));
  }
  return CHORD_SUCCESS;
}

void forget_datasets(const Place& place) { fs::remove_all(place.folder + "/cache/sparsechord/datasets"); }

chord_status encoders(const Place& place) {
  static const std::string picture = content_of(place.pictures + "/test/cat/0.png");
  const struct {
    const char *task, *encoding, *raw;
    std::size_t bytes;
  } kinds[] = {{"listops", nullptr, "[MAX 1 8]", 9},
               {"text", nullptr, "fine", 4},
               {"image", nullptr, picture.data(), picture.size()},
               {"pathfinder", R"({"grey": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]})", picture.data(), picture.size()}};
  static int32_t tokens[8192];
  for (const auto& each : kinds) {
    Encoder encoder;
    TRY(chord_encoder_create(each.task, each.encoding, 0, &encoder));
    chord_encoder_info info = CHORD_ENCODER_INFO_INIT;
    TRY(chord_encoder_get_info(encoder, &info));
    int64_t used = 0;
    TRY(chord_encoder_encode(encoder, each.raw, each.bytes, tokens, std::size(tokens), &used));
    const char* symbol = nullptr;
    TRY(chord_encoder_symbol(encoder, 1, &symbol));
  }
  return CHORD_SUCCESS;
}

chord_status generating(const Place& place) {
  chord_generate_options options = CHORD_GENERATE_OPTIONS_INIT;
  options.count = 12;
  options.task = "listops";
  options.output = place.listops.c_str();
  TRY(chord_generate_files(&options));
  options.task = "pathfinder";
  options.output = place.pathfinder.c_str();
  return chord_generate_files(&options);
}

void remove_pathfinder(const Place& place) { fs::remove_all(place.pathfinder); }

std::string check_listops(const Place& place) {
  for (const char* name : {"basic_train.tsv", "basic_val.tsv", "basic_test.tsv"}) {
    const std::string content = content_of(place.listops + "/" + name);
    if (!content.starts_with("Source\tTarget\n") || !content.ends_with('\n'))
      return name + std::string(" is not whole");
  }
  return "";
}

/// All folders are there, or none: unless those that are there could not be taken back.
std::string check_generating(const Place& place, bool hopeless) {
  int found = 0;
  for (const char* each : {"curv_baseline", "curv_contour_length_9", "curv_contour_length_14"})
    found += fs::exists(place.pathfinder + "/" + each);
  if (found != 0 && found != 3 && !hopeless) return "only some of the folders of Pathfinder";
  return check_listops(place);
}

void save(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

}  // namespace

Place::Place(std::string device, const std::string& folder)
    : device(std::move(device)),
      folder(folder),
      npy(folder + "/square.npy"),
      pieces(folder + "/pieces.npy"),
      plain(folder + "/plain.txt"),
      factors(folder + "/factors.safetensors"),
      checkpoint(folder + "/checkpoint.safetensors"),
      model(folder + "/model.safetensors"),
      gradients(folder + "/gradients.safetensors"),
      listops(folder + "/listops"),
      pathfinder(folder + "/pathfinder"),
      mtx(folder + "/matrix.mtx"),
      png(folder + "/picture.png"),
      tensors(folder + "/matrix.safetensors"),
      reviews(folder + "/reviews"),
      pictures(folder + "/pictures") {}

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all = {
      {.name = "opening", .run = opening, .cold = true, .devices = true},
      {.name = "listing", .run = listing, .cold = true},
      {.name = "tensors", .run = tensors, .check = check_tensors, .devices = true},
      {.name = "memories", .run = memories, .devices = true},
      {.name = "chains", .run = chains, .devices = true},
      {.name = "reading", .run = reading},
      {.name = "factorizing", .run = factorizing, .check = check_factorizing, .devices = true},
      {.name = "sums", .run = sums, .check = check_factorizing, .devices = true},
      {.name = "splitting", .run = splitting, .devices = true},
      {.name = "operators", .run = operators, .devices = true},
      {.name = "jobs", .run = jobs, .devices = true},
      {.name = "layers", .run = layers, .devices = true},
      {.name = "modelling", .run = modelling, .check = check_modelling, .devices = true},
      {.name = "datasets", .run = datasets, .prepare = forget_datasets},
      {.name = "encoders", .run = encoders},
      {.name = "generating", .run = generating, .prepare = remove_pathfinder, .check = check_generating},
  };
  return all;
}

int failed_destructions() { return destructions_failed; }

void make_files(const Place& place) {
  save(place.mtx, "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1.5\n3 2 -2\n");
  std::vector<std::uint8_t> levels(32 * 32);
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = std::uint8_t(i % 10);
  const std::string picture = chord::format_png(levels.data(), 32, 32);
  save(place.png, chord::format_png(levels.data(), 4, 4));
  const std::string header = R"({"x":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}})";
  std::string length(8, '\0');
  length[0] = char(header.size());
  save(place.tensors, length + header + std::string(8, '\0'));
  for (const char* split : {"train", "test"}) {
    for (const char* kind : {"neg", "pos"}) save(place.reviews + "/" + split + "/" + kind + "/0_1.txt", "a film");
    for (const char* kind : {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"})
      save(place.pictures + "/" + split + "/" + kind + "/0.png", picture);
  }
  save(place.listops + "/basic_test.tsv", "Source\tTarget\n[SM 9 [MAX 1 8] 5]\t2\n");
  // 4 × 4 numbers, which "reading" takes for a matrix.
  save(place.npy, std::string("\x93NUMPY\x01\x00", 8) + std::string("\x39\x00", 2) +
                      "{'descr': '|u1', 'fortran_order': False, 'shape': (2,2)}\n\1\2\3\4");
}

}  // namespace faults
