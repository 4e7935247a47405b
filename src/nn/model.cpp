#include "nn/model.hpp"

#include <algorithm>

#include "common/memory.hpp"
#include "common/size.hpp"
#include "nn/index_checks.hpp"
#include "nn/pass.hpp"
#include "operations/copy.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

/// The tensor itself, or a contiguous copy.
Tensor contiguous(const Tensor& tensor) {
  if (tensor.contiguous()) return tensor;
  const Tensor copied = Tensor::create(tensor.storage->shared_context(), tensor.type, tensor.shape);
  copy(tensor, copied);
  return copied;
}

void expect(const char* name, const Tensor& tensor, Context& context, DataType type, const Extents& shape) {
  if (&tensor.context() != &context) fail(Status::context_mismatch, name, " belongs to another context than the model");
  if (tensor.type != type) fail(Status::invalid_type, name, " is ", name_of(tensor.type), "; expected ", name_of(type));
  if (!(tensor.shape == shape))
    fail(Status::invalid_shape, name, " has shape ", describe(tensor.shape), "; expected ", describe(shape));
}

// Of the memory that is free, this share may be planned with; the rest is for those who also need some.
constexpr double usable_share = 0.8;

std::int64_t available_bytes(Context& context) {
  const PoolStatistics pool = context.pool().statistics();
  const std::size_t idle = pool.reserved_bytes - pool.bytes_in_use;
  const DeviceDescription& device = context.device();
  const std::size_t free = device.cpu_like() ? available_host_memory()
                                             : device.memory_bytes - std::min(device.memory_bytes, pool.reserved_bytes);
  return std::int64_t(usable_share * double(free)) + std::int64_t(idle);
}

}  // namespace

/// Inputs and labels, checked and contiguous.
struct Model::Batch {
  Tensor inputs;
  std::optional<Tensor> labels = {};
  IndexChecks checks = {};
  std::int64_t sequences() const { return inputs.shape[0]; }
  /// From a sequence on.
  const void* inputs_at(std::int64_t sequence) const { return at(inputs, sequence); }
  const void* labels_at(std::int64_t sequence) const { return labels ? at(*labels, sequence) : nullptr; }

 private:
  static const void* at(const Tensor& tensor, std::int64_t sequence) {
    return tensor.data<char>() + sequence * tensor.strides[0] * std::int64_t(size_of(tensor.type));
  }
};

Model::Model(const std::shared_ptr<Context>& context, const ModelDescription& description,
             const std::vector<double>& parameters, std::uint64_t seed)
    : description_(description), json_(description.to_json()), list_(description), seed_(seed) {
  const std::int64_t n = description.length;
  if (description.type() == DataType::float64 && !context->device().has_float64)
    fail(Status::unsupported, "the device has no float64; give the model a precision of 32 bits");
  pattern_ = std::make_shared<const Pattern>(context, n, chord_offsets(n, 2, description.links));
  values_ = Tensor::create(context, description.type(), {list_.size});
  copy_from_host(parameters, values_);
}

std::shared_ptr<Model> Model::create(const std::shared_ptr<Context>& context, const ModelDescription& description,
                                     std::uint64_t seed) {
  return std::make_shared<Model>(context, description,
                                 initial_parameters(description, ParameterList(description), seed), seed);
}

Tensor Model::zeros() const {
  const Tensor fresh = Tensor::create(context(), values_.type, values_.shape);
  fill(fresh, 0);
  return fresh;
}

/// Laid out once per shape; a program has few of them.
std::shared_ptr<const Workspace> Model::workspace(const PassShape& shape) const {
  constexpr std::size_t most = 16;
  const std::lock_guard lock(workspace_mutex_);
  for (const auto& known : workspaces_)
    if (known->shape == shape) return known;
  if (workspaces_.size() == most) workspaces_.erase(workspaces_.begin());
  workspaces_.push_back(std::make_shared<const Workspace>(description_, list_, context()->device(), shape));
  return workspaces_.back();
}

Memory Model::resolve_memory(std::int64_t sequences, bool training, Memory wanted) const {
  if (wanted != Memory::automatic) return wanted;
  const auto normal = workspace({sequences, training, Memory::normal});
  return normal->bytes(description_.type()) <= available_bytes(*context()) ? Memory::normal : Memory::low;
}

MemoryPlan Model::plan(std::int64_t batch, bool training, const StepOptions& options) const {
  const std::int64_t sequences = options.micro_batch > 0 ? std::min(batch, options.micro_batch) : batch;
  MemoryPlan plan;
  plan.memory = resolve_memory(sequences, training, options.memory);
  plan.parameter_bytes = checked_multiply(training ? 4 : 1, std::int64_t(Pool::block_size(values_.bytes())));
  plan.activation_bytes = workspace({sequences, training, plan.memory})->bytes(description_.type());
  return plan;
}

Model::Batch Model::batch(const Tensor& inputs, const Tensor* labels) const {
  const ModelDescription& d = description_;
  const bool tokens = d.input == InputKind::tokens;
  const std::int64_t sequences = inputs.rank() > 0 ? inputs.shape[0] : 0;
  expect("inputs", inputs, *context(), d.input_type(),
         tokens ? Extents{sequences, d.length} : Extents{sequences, d.length, d.features});
  Batch batch{.inputs = contiguous(inputs)};
  if (labels) {
    expect("labels", *labels, *context(), d.label_type(), {sequences});
    batch.labels = contiguous(*labels);
    if (d.loss == Loss::cross_entropy) batch.checks.add("labels", *batch.labels, d.classes);
  }
  if (tokens) batch.checks.add("inputs", batch.inputs, d.vocabulary);
  batch.checks.queue(context());
  return batch;
}

template <class T>
PassData<T> Model::pass_data(const Batch& batch, std::int64_t first, std::int64_t count) const {
  return {.description = description_,
          .list = list_,
          .pattern = pattern_,
          .parameters = values_.data<T>(),
          .inputs = batch.inputs_at(first),
          .labels = batch.labels_at(first),
          .sequences = count,
          .first_sequence = first,
          .dropout = {seed_, step_}};
}

template <class T>
StepResult Model::run(const Batch& batch, const StepOptions& options, Mode mode) {
  const std::int64_t all = batch.sequences();
  const std::int64_t together = options.micro_batch > 0 ? std::min(options.micro_batch, all) : all;
  const bool backward = mode != Mode::evaluation;
  const Memory memory = resolve_memory(together, backward, options.memory);
  std::vector<T> parts(std::size_t(3 * all));
  try {
    for (std::int64_t first = 0; first < all; first += together) {
      const std::int64_t count = std::min(together, all - first);
      PassData<T> data = pass_data<T>(batch, first, count);
      data.gradients = backward ? gradients_->data<T>() : nullptr;
      data.with_dropout = mode == Mode::training;
      Pass<T> pass(data, workspace({count, backward, memory}));
      pass.forward();
      pass.loss(1.0 / double(all));
      if (backward) pass.backward(first > 0);
      context()->submit()->copy(parts.data() + 3 * first, pass.loss_parts(), std::size_t(3 * count) * sizeof(T));
    }
    if (mode == Mode::training) update<T>(options.adam, batch.checks.faults());
  } catch (...) {
    context()->drain();  // before the vectors that are copied to go
    throw;
  }
  const bool done = context()->drain();
  batch.checks.expect_none();
  if (done && mode == Mode::training) ++step_;
  context()->wait();  // for what may have gone wrong elsewhere
  StepResult result;
  result.count = all;
  for (std::int64_t first = 0; first < all; first += together) {
    const std::int64_t count = std::min(together, all - first);
    const T* sums = parts.data() + 3 * first;
    for (std::int64_t i = 0; i < count; ++i) {
      result.loss += loss_of(description_, sums[i], sums[count + i]) / double(all);
      result.correct += sums[2 * count + i] > T(0);
    }
  }
  return result;
}

void Model::forward(const Tensor& inputs, const Tensor& outputs) {
  const std::lock_guard lock(mutex_);
  const Batch given = batch(inputs, nullptr);
  expect("outputs", outputs, *context(), description_.type(), {given.sequences(), description_.classes});
  expect_writable("outputs", outputs);
  if (outputs.elements() == 0) return;
  with_type(description_.type(), [&](auto zero) {
    using T = decltype(zero);
    const Memory memory = resolve_memory(given.sequences(), false, Memory::automatic);
    Pass<T> pass(pass_data<T>(given, 0, given.sequences()), workspace({given.sequences(), false, memory}));
    pass.forward();
    pass.copy_outputs(outputs);
  });
  given.checks.expect_none_at_wait(*context());
}

StepResult Model::step(const Tensor& inputs, const Tensor& labels, const StepOptions& options, Mode mode) {
  const std::lock_guard lock(mutex_);
  const Batch given = batch(inputs, &labels);
  if (mode != Mode::evaluation) {
    if (!gradients_) gradients_ = zeros();
    if (given.sequences() == 0) fill(*gradients_, 0);
  }
  if (mode == Mode::training && !first_moment_) {
    first_moment_ = zeros();
    second_moment_ = zeros();
  }
  StepResult result;
  with_type(description_.type(), [&](auto zero) { result = run<decltype(zero)>(given, options, mode); });
  return result;
}

StepResult Model::evaluate(const Tensor& inputs, const Tensor& labels) {
  return step(inputs, labels, {}, Mode::evaluation);
}

StepResult Model::gradients(const Tensor& inputs, const Tensor& labels, const StepOptions& options) {
  return step(inputs, labels, options, Mode::gradients);
}

StepResult Model::train_step(const Tensor& inputs, const Tensor& labels, const StepOptions& options) {
  return step(inputs, labels, options, Mode::training);
}

template <class T>
void Model::update(const AdamSettings& settings, const kernels::Faults& faults) {
  adam<T>(*context()->submit(), settings, step_ + 1,
          {.parameters = values_.data<T>(),
           .gradients = gradients_->data<T>(),
           .m = first_moment_->data<T>(),
           .v = second_moment_->data<T>(),
           .count = list_.size},
          faults);
}

void Model::attention(const Tensor& inputs, std::int64_t block, const std::vector<std::int64_t>& indices,
                      const Tensor& out) {
  const std::lock_guard lock(mutex_);
  if (block < 0 || block >= description_.blocks)
    fail(Status::invalid_argument, "there is no block ", block, "; blocks are 0 to ", description_.blocks - 1);
  const Batch given = batch(inputs, nullptr);
  expect("out", out, *context(), description_.type(),
         {given.sequences(), std::int64_t(indices.size()), description_.length});
  if (out.elements() == 0) return;
  with_type(description_.type(), [&](auto zero) {
    using T = decltype(zero);
    Pass<T>(pass_data<T>(given, 0, given.sequences()), workspace({given.sequences(), false, Memory::normal}))
        .attention(block, indices, out);
  });
  given.checks.expect_none_at_wait(*context());
}

Tensor Model::view_of(const Tensor& buffer, const std::string& name) const {
  const Parameter& parameter = list_.find(name);
  return buffer.view(parameter.shape, contiguous_strides(parameter.shape), parameter.offset);
}

Tensor Model::parameter(const std::string& name) const { return view_of(values_, name); }

const Tensor& Model::computed_gradients() const {
  if (!gradients_) fail(Status::invalid_argument, "the model has no gradients yet; compute them, or train a step");
  return *gradients_;
}

Tensor Model::gradient(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return view_of(computed_gradients(), name);
}

}  // namespace chord
