#include "nn/model.hpp"

#include <algorithm>

#include "common/memory.hpp"
#include "common/size.hpp"
#include "device/launch.hpp"
#include "nn/arguments.hpp"
#include "nn/padding.hpp"
#include "nn/pass.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

/// Some sequences of a tensor.
Tensor rows_of(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  Extents shape = tensor.shape;
  shape[0] = count;
  return tensor.view(shape, tensor.strides, first * tensor.strides[0]);
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

/// Inputs, labels and lengths, checked and contiguous. Where there are lengths, what is behind them is zero.
struct Model::Batch {
  Tensor inputs;
  std::optional<Tensor> labels = {}, lengths = {};
  IndexChecks checks = {};
  std::int64_t sequences() const { return inputs.shape[0]; }
  /// From a sequence on.
  const void* inputs_at(std::int64_t sequence) const { return at(inputs, sequence); }
  const void* labels_at(std::int64_t sequence) const { return labels ? at(*labels, sequence) : nullptr; }
  const std::int32_t* lengths_at(std::int64_t sequence) const {
    return lengths ? lengths->data<std::int32_t>() + sequence : nullptr;
  }

 private:
  static const void* at(const Tensor& tensor, std::int64_t sequence) {
    return tensor.data<char>() + sequence * tensor.strides[0] * std::int64_t(size_of(tensor.type));
  }
};

Model::Model(const std::shared_ptr<Context>& context, const ModelDescription& description,
             const std::vector<double>& parameters, std::uint64_t seed)
    : description_(description),
      json_(description.to_json()),
      list_(description),
      losses_(description_),
      arena_(std::make_shared<Arena>(*context)),
      seed_(seed) {
  const std::int64_t n = description.length;
  if (description.type() == DataType::float64 && !context->device().has_float64)
    fail(Status::unsupported, "the device has no float64; give the model a precision of 32 bits");
  pattern_ = std::make_shared<const Pattern>(context, n, chord_offsets(n, 2, description.links));
  values_ = Tensor::create(context, description.type(), {list_.size});
  copy_from_host(parameters, values_);
  state_ = std::make_shared<StepState>(context, description.type());
}

Model::~Model() = default;

std::shared_ptr<Model> Model::create(const std::shared_ptr<Context>& context, const ModelDescription& description,
                                     std::uint64_t seed) {
  expect_parameter_memory(description);
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
  const std::int64_t available = available_bytes(*context()) + std::int64_t(arena_->bytes());
  return normal->bytes(description_.type()) <= available ? Memory::normal : Memory::low;
}

/// Sequences that are a share of a larger batch are computed together: whoever cuts it decides on the sums.
BatchCut Model::cut_of(std::int64_t batch, bool training, const StepOptions& options) const {
  if (options.micro_batch > 0) return {batch, std::min(batch, options.micro_batch)};
  if (options.share.whole > 0) return {batch, batch};
  return cut_for_caches(description_, list_, context()->device(), batch, training);
}

MemoryPlan Model::plan(std::int64_t batch, bool training, const StepOptions& options) const {
  const std::int64_t sequences = cut_of(batch, training, options).together;
  MemoryPlan plan;
  plan.memory = resolve_memory(sequences, training, options.memory);
  plan.parameter_bytes = checked_multiply(training ? 4 : 1, std::int64_t(Pool::block_size(values_.bytes())));
  plan.activation_bytes = workspace({sequences, training, plan.memory})->bytes(description_.type());
  if (options.lengths) plan.activation_bytes = checked_add(plan.activation_bytes, input_bytes(batch));
  if (!training) return plan;
  plan.activation_bytes = checked_add(plan.activation_bytes, KeptLosses::bytes(batch, description_.type()));
  if (options.adam.clips())
    plan.activation_bytes = checked_add(plan.activation_bytes, std::int64_t(Pool::block_size(squares_bytes())));
  if (records()) plan.activation_bytes = checked_add(plan.activation_bytes, input_bytes(batch));  // a step's own copy
  return plan;
}

/// Of a copy of the inputs.
std::int64_t Model::input_bytes(std::int64_t batch) const {
  const std::int64_t each = description_.length * (description_.input == InputKind::tokens ? 1 : description_.features);
  const std::int64_t bytes = checked_multiply(checked_multiply(batch, each), size_of(description_.input_type()));
  return std::int64_t(Pool::block_size(std::size_t(bytes)));
}

/// A copy with zeros behind the end of each sequence, whatever was there.
Tensor Model::without_padding(const Tensor& inputs, const Tensor& lengths) const {
  const Tensor cleared = Tensor::create(context(), inputs.type, inputs.shape);
  copy(inputs, cleared);
  const std::int64_t n = description_.length, columns = inputs.rank() == 3 ? description_.features : 1;
  const auto clear = [&](auto zero) {
    using T = decltype(zero);
    clear_padding<T>(*context()->submit(), lengths.data<std::int32_t>(), {cleared.data<T>(), 0, n * columns, columns},
                     {1, inputs.shape[0], n, columns});
  };
  if (inputs.type == DataType::int32)
    clear(std::int32_t());
  else
    with_type(inputs.type, clear);
  return cleared;
}

Model::Batch Model::batch(const Tensor& inputs, const Tensor* labels, const std::optional<Tensor>& lengths) const {
  const ModelDescription& d = description_;
  const bool tokens = d.input == InputKind::tokens;
  const std::int64_t sequences = inputs.rank() > 0 ? inputs.shape[0] : 0;
  expect("inputs", inputs, *context(), d.input_type(),
         tokens ? Extents{sequences, d.length} : Extents{sequences, d.length, d.features});
  if (lengths) expect("lengths", *lengths, *context(), DataType::int32, {sequences});
  Batch batch{.inputs = contiguous(inputs)};
  if (labels) {
    expect("labels", *labels, *context(), d.label_type(), {sequences});
    batch.labels = contiguous(*labels);
    if (d.loss == Loss::cross_entropy) batch.checks.add("labels", *batch.labels, d.classes);
  }
  // Padding may hold what is no token: where the host does not know all to be tokens, the device looks at those that
  // count.
  const bool known = tokens && IndexChecks::known(batch.inputs, d.vocabulary);
  const Tensor given = batch.inputs;
  if (lengths) {
    batch.lengths = contiguous(*lengths);
    batch.inputs = without_padding(given, *batch.lengths);
  }
  if (tokens) batch.checks.add("inputs", known ? given : batch.inputs, d.vocabulary);
  if (lengths)
    batch.checks.add("lengths", *batch.lengths, d.length + 1);
  else
    batch.checks.add_absent("lengths", d.length + 1);
  batch.checks.queue(context());
  return batch;
}

template <class T>
PassData<T> Model::pass_data(const Batch& batch, std::int64_t first, std::int64_t count, const Share& share) const {
  return {.description = description_,
          .list = list_,
          .pattern = pattern_,
          .parameters = values_.data<T>(),
          .inputs = batch.inputs_at(first),
          .labels = batch.labels_at(first),
          .lengths = batch.lengths_at(first),
          .sequences = count,
          .first_sequence = share.first + first,
          .with_dropout = share.dropout,
          .dropout = {seed_, state_->number()}};
}

bool Model::records() const { return context()->submit()->can_record(); }

/// What recorded steps keep for themselves serves all other passes, too.
template <class Work>
void Model::in_kept_memory(const Work& work) {
  if (!records()) return work();
  const Context::Submission queue = context()->submit();
  std::vector<void*> order;
  const Arena::Use memory(*arena_, order);
  work();
}

Model::Passes Model::passes_of(const Batch& batch, const StepOptions& options, Mode mode) const {
  const BatchCut cut = cut_of(batch.sequences(), mode != Mode::evaluation, options);
  const Share share = mode == Mode::training ? Share{.dropout = true} : options.share;
  return {cut,
          mode,
          resolve_memory(cut.together, mode != Mode::evaluation, options.memory),
          options.adam.clips(),
          share,
          batch.lengths.has_value()};
}

/// Zeros at first: not every loss has all of them.
Tensor Model::parts_of(const BatchCut& cut) const {
  const Tensor parts = Tensor::create(context(), description_.type(), {cut.parts()});
  fill(parts, 0);
  return parts;
}

template <class T>
void Model::run(const Batch& batch, const Passes& passes, const Tensor& parts) {
  const bool backward = passes.mode != Mode::evaluation;
  for_each_pass(passes.cut, [&](std::int64_t first, std::int64_t count) {
    PassData<T> data = pass_data<T>(batch, first, count, passes.share);
    data.gradients = backward ? gradients_->data<T>() : nullptr;
    Pass<T> pass(data, workspace({count, backward, passes.memory}));
    pass.forward();
    pass.loss(1.0 / double(passes.share.whole > 0 ? passes.share.whole : passes.cut.all), parts.data<T>() + 3 * first);
    if (backward) pass.backward(passes.share.accumulate || first > 0);
  });
}

/// Waits for all work; what went wrong is left for the next wait to tell.
template <class T>
std::vector<T> Model::fetch(const Tensor& parts) const {
  std::vector<T> found(std::size_t(parts.elements()));
  context()->submit()->copy(found.data(), parts.data<T>(), parts.bytes());
  context()->drain();
  return found;
}

template std::vector<float> Model::fetch(const Tensor&) const;
template std::vector<double> Model::fetch(const Tensor&) const;

void Model::forward(const Tensor& inputs, const Tensor& outputs, const StepOptions& options) {
  const std::lock_guard lock(mutex_);
  const Batch given = batch(inputs, nullptr, options.lengths);
  expect("outputs", outputs, *context(), description_.type(), {given.sequences(), description_.classes});
  expect_writable("outputs", outputs);
  if (outputs.elements() == 0) return;
  const Passes passes = passes_of(given, options, Mode::evaluation);
  with_type(description_.type(), [&](auto zero) {
    using T = decltype(zero);
    if (passes.share.dropout) state_->begin<T>(options.adam, {});
    in_kept_memory([&] {
      for_each_pass(passes.cut, [&](std::int64_t first, std::int64_t count) {
        Pass<T> pass(pass_data<T>(given, first, count, passes.share), workspace({count, false, passes.memory}));
        pass.forward();
        pass.copy_outputs(rows_of(outputs, first, count));
      });
    });
  });
  given.checks.expect_none_at_wait();
}

void Model::need_gradients(const Batch& batch, const Share& share) {
  if (!gradients_) gradients_ = zeros();
  if (batch.sequences() == 0 && !share.accumulate) fill(*gradients_, 0);
}

void Model::need_moments() {
  if (!first_moment_) first_moment_ = zeros();
  if (!second_moment_) second_moment_ = zeros();
}

void Model::backward(const Tensor& inputs, const Tensor& doutputs, const Tensor* dinputs, const StepOptions& options) {
  const std::lock_guard lock(mutex_);
  const Batch given = batch(inputs, nullptr, options.lengths);
  expect("doutputs", doutputs, *context(), description_.type(), {given.sequences(), description_.classes});
  if (dinputs) {
    if (description_.input == InputKind::tokens)
      fail(Status::unsupported, "dinputs: there is no gradient with respect to tokens; expected NULL");
    expect("dinputs", *dinputs, *context(), description_.input_type(), inputs.shape);
    expect_writable("dinputs", *dinputs);
    if (overlap(*dinputs, inputs) || overlap(*dinputs, doutputs))
      fail(Status::invalid_argument, "dinputs shares memory with inputs or doutputs");
  }
  need_gradients(given, options.share);
  if (given.sequences() == 0) return;
  const Passes passes = passes_of(given, options, Mode::gradients);
  with_type(description_.type(), [&](auto zero) {
    using T = decltype(zero);
    if (passes.share.dropout) state_->begin<T>(options.adam, {});
    in_kept_memory([&] {
      for_each_pass(passes.cut, [&](std::int64_t first, std::int64_t count) {
        PassData<T> data = pass_data<T>(given, first, count, passes.share);
        data.gradients = gradients_->data<T>();
        Pass<T> pass(data, workspace({count, true, passes.memory}));
        pass.forward();
        pass.take_output_gradient(rows_of(doutputs, first, count));
        pass.backward(passes.share.accumulate || first > 0);
        if (dinputs) pass.copy_input_gradient(rows_of(*dinputs, first, count));
      });
    });
  });
  given.checks.expect_none_at_wait();
}

void Model::apply_gradients(const AdamSettings& settings) {
  const std::lock_guard lock(mutex_);
  computed_gradients();
  need_moments();
  with_type(description_.type(), [&](auto zero) {
    using T = decltype(zero);
    state_->begin<T>(settings, {});
    in_kept_memory([&] { update<T>(settings.clips()); });
  });
  state_->count_step();
}

StepResult Model::without_step(const Tensor& inputs, const Tensor& labels, const StepOptions& options, Mode mode) {
  const std::lock_guard lock(mutex_);
  const Batch given = batch(inputs, &labels, options.lengths);
  if (mode == Mode::gradients) need_gradients(given, options.share);
  const Passes passes = passes_of(given, options, mode);
  const Tensor parts = parts_of(passes.cut);
  StepResult result;
  with_type(description_.type(), [&](auto zero) {
    using T = decltype(zero);
    if (passes.share.dropout) state_->begin<T>(options.adam, {});  // which number the step has
    in_kept_memory([&] { run<T>(given, passes, parts); });
    const std::vector<T> found = fetch<T>(parts);
    given.checks.expect_none();
    context()->wait();  // for what may have gone wrong elsewhere
    result = result_of(description_, passes.cut, found.data());
  });
  return result;
}

StepResult Model::evaluate(const Tensor& inputs, const Tensor& labels, const StepOptions& options) {
  return without_step(inputs, labels, options, Mode::evaluation);
}

StepResult Model::gradients(const Tensor& inputs, const Tensor& labels, const StepOptions& options) {
  return without_step(inputs, labels, options, Mode::gradients);
}

/// A training step as it may be recorded: with a batch of its own, which every other is copied to, so that it always
/// works at the same addresses.
struct Model::TrainingStep {
  Passes passes;
  Tensor parts;
  std::optional<Batch> batch;  // where steps are recorded
  RepeatedWork work;
};

Model::TrainingStep& Model::known_step(const Batch& batch, const StepOptions& options) {
  constexpr std::size_t most = 8;
  const Passes passes = passes_of(batch, options, Mode::training);
  for (const auto& step : known_steps_)
    if (step->passes == passes) return *step;
  std::unique_ptr<TrainingStep> step(new TrainingStep{passes, parts_of(passes.cut), {}, {*context(), arena_}});
  const auto like = [&](const Tensor& tensor) { return Tensor::create(context(), tensor.type, tensor.shape); };
  if (records()) {
    step->batch.emplace(Batch{.inputs = like(batch.inputs), .labels = like(*batch.labels)});
    if (batch.lengths) step->batch->lengths = like(*batch.lengths);
  }
  // Known from when it is whole.
  if (known_steps_.size() == most) known_steps_.erase(known_steps_.begin());
  known_steps_.push_back(std::move(step));
  return *known_steps_.back();
}

template <class T>
std::optional<StepResult> Model::with_step(const Batch& batch, const StepOptions& options, bool wait) {
  TrainingStep& step = known_step(batch, options);
  state_->begin<T>(options.adam, batch.checks);
  if (step.batch) {
    copy(batch.inputs, step.batch->inputs);
    copy(*batch.labels, *step.batch->labels);
    if (batch.lengths) copy(*batch.lengths, *step.batch->lengths);
  }
  step.work.run([&] {
    run<T>(step.batch ? *step.batch : batch, step.passes, step.parts);
    update<T>(step.passes.clips);
  });
  state_->count_step();
  if (!wait) {
    losses_.keep<T>(step.parts, step.passes.cut, state_->faults());
    state_->expect_no_fault_at_wait(batch.checks);
    return {};
  }
  const std::vector<T> found = fetch<T>(step.parts);
  state_->expect_no_fault(batch.checks);
  context()->wait();  // for what may have gone wrong elsewhere
  return result_of(description_, step.passes.cut, found.data());
}

std::optional<StepResult> Model::training_step(const Tensor& inputs, const Tensor& labels, const StepOptions& options,
                                               bool wait) {
  const std::lock_guard lock(mutex_);
  const Batch given = batch(inputs, &labels, options.lengths);
  need_gradients(given, {});
  need_moments();
  std::optional<StepResult> result;
  with_type(description_.type(), [&](auto zero) { result = with_step<decltype(zero)>(given, options, wait); });
  return result;
}

StepResult Model::train_step(const Tensor& inputs, const Tensor& labels, const StepOptions& options) {
  return *training_step(inputs, labels, options, true);
}

void Model::queue_train_step(const Tensor& inputs, const Tensor& labels, const StepOptions& options) {
  training_step(inputs, labels, options, false);
}

KeptLosses::Taken Model::take_losses(std::int64_t most) {
  const std::lock_guard lock(mutex_);
  KeptLosses::Taken taken;
  with_type(description_.type(), [&](auto zero) { taken = losses_.take<decltype(zero)>(most); });
  return taken;
}

/// Of the sums that a norm of all gradients is made of.
std::size_t Model::squares_bytes() const {
  return std::size_t(kernels::square_gradients::pieces(list_.size)) * size_of(description_.type());
}

template <class T>
void Model::update(bool clips) {
  const Context::Submission queue = context()->submit();
  std::optional<Scratch> squares;
  if (clips) {
    squares.emplace(*context(), squares_bytes());
    launch<kernels::square_gradients, T>(
        *queue, {.gradients = gradients_->data<T>(), .squares = squares->as<T>(), .count = list_.size});
  }
  launch<kernels::adam, T>(*queue, {.parameters = values_.data<T>(),
                                    .gradients = gradients_->data<T>(),
                                    .m = first_moment_->data<T>(),
                                    .v = second_moment_->data<T>(),
                                    .rates = state_->rates<T>(),
                                    .squares = squares ? squares->as<T>() : nullptr,
                                    .faults = state_->faults(),
                                    .count = list_.size,
                                    .squares_count = clips ? kernels::square_gradients::pieces(list_.size) : 0});
}

void Model::attention(const Tensor& inputs, std::int64_t block, const std::vector<std::int64_t>& indices,
                      const Tensor& out, const StepOptions& options) {
  const std::lock_guard lock(mutex_);
  if (block < 0 || block >= description_.blocks)
    fail(Status::invalid_argument, "there is no block ", block, "; blocks are 0 to ", description_.blocks - 1);
  const Batch given = batch(inputs, nullptr, options.lengths);
  expect("out", out, *context(), description_.type(),
         {given.sequences(), std::int64_t(indices.size()), description_.length});
  if (out.elements() == 0) return;
  with_type(description_.type(), [&](auto zero) {
    using T = decltype(zero);
    Pass<T>(pass_data<T>(given, 0, given.sequences(), {}), workspace({given.sequences(), false, Memory::normal}))
        .attention(block, indices, out);
  });
  given.checks.expect_none_at_wait();
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

Tensor Model::all_gradients() {
  const std::lock_guard lock(mutex_);
  if (!gradients_) gradients_ = zeros();
  return *gradients_;
}

std::pair<Tensor, Tensor> Model::moments() {
  const std::lock_guard lock(mutex_);
  need_moments();
  return {*first_moment_, *second_moment_};
}

void Model::set_step(std::int64_t step) {
  const std::lock_guard lock(mutex_);
  state_->set_count(step);
}

Tensor Model::gradient(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return view_of(computed_gradients(), name);
}

}  // namespace chord
