#include "mpi/cut_model.hpp"

#include <algorithm>

#include "mpi/agreement.hpp"
#include "mpi/cut_state.hpp"
#include "mpi/device_arrays.hpp"
#include "mpi/rows.hpp"

namespace parallel {
namespace {

chord::Model make_model(chord_context* context, const ModelText& description, std::uint64_t seed) {
  chord_model* handle = nullptr;
  chord::check(chord_model_create(context, description.json().c_str(), seed, &handle));
  return chord::Model(handle);
}

}  // namespace

std::string CutModel::problem_with(const ModelText& whole, std::int64_t blocks, int ranks) {
  const std::int64_t length = whole.number("length");
  if (blocks < ranks) return std::to_string(blocks) + " pieces are too few for " + std::to_string(ranks) + " ranks";
  if (length % blocks != 0)
    return std::to_string(blocks) + " pieces do not divide the sequence's " + std::to_string(length) + " positions";
  if (whole.number("blocks") != 1) return "models of several blocks cannot be cut";
  return "";
}

CutModel::CutModel(Peers& peers, chord_context* context, const ModelText& whole, std::uint64_t seed,
                   std::int64_t blocks)
    : peers_(peers),
      context_(context),
      whole_(whole),
      blocks_{whole.number("length"), blocks, peers.size()},
      rows_(whole.number("length") / blocks),
      channels_(whole.number("channels")),
      links_(whole.number("links")),
      factors_(whole.number("factors")),
      residual_(whole.has("residual", "true")),
      flatten_(whole.has("pooling", "\"flatten\"")),
      type_(whole.number("precision") == 64 ? CHORD_FLOAT64 : CHORD_FLOAT32),
      factor_(peers, context, type_, blocks_, chord_offsets(context, whole.number("length"), links_), channels_) {
  const ModelText of_a_block = whole.with("length", rows_);
  for (std::int64_t block = blocks_.first_of(peers.rank()); block < blocks_.first_of(peers.rank() + 1); ++block)
    own_.push_back({block, make_model(context, of_a_block, seed), {}, {}, {}, {}, {}, {}});
  parameters_ = std::make_unique<CutParameters>(own_.front().model, whole, blocks);
  const std::size_t number_size = type_ == CHORD_FLOAT64 ? sizeof(double) : sizeof(float);
  const std::int64_t hidden = whole.number("head_hidden"), classes = whole.number("classes"),
                     pooled = hidden > 0 ? hidden : classes;
  pooled_sum_ = std::make_unique<TreeSum>(peers, std::size_t(pooled) * number_size);
  gradients_ = std::make_unique<CutGradients>(peers, *parameters_, blocks_, type_);
  pooled_ = make_tensor(context, type_, {1, pooled});
  pooled_gradient_ = make_tensor(context, type_, {1, pooled});
  outputs_ = make_tensor(context, type_, {1, classes});
  outputs_gradient_ = make_tensor(context, type_, {1, classes});
}

chord::Tensor CutModel::padded() const { return make_filled(context_, type_, {factor_.padded_rows(), channels_}, 0); }

void CutModel::reserve(bool training) {
  together(peers_, [&] { make_memory(training); });
}

void CutModel::make_memory(bool training) {
  const auto make = [&](std::int64_t columns) { return make_tensor(context_, type_, {rows_, columns}); };
  const std::int64_t width = whole_.number("width");
  if (!has_memory_) {
    weights_ = make_filled(context_, type_, {factor_.padded_rows(), links_}, 0);
    for (Block& block : own_) {
      block.embedded = make(width);
      block.first_values = make(channels_);
      for (std::int64_t i = 0; i < std::min<std::int64_t>(factors_, 2); ++i) block.tape.push_back(make(channels_));
    }
    has_memory_ = true;
  }
  if (!training || has_training_memory_) return;
  weights_gradient_ = make_tensor(context_, type_, {factor_.padded_rows(), links_});
  for (Block& block : own_) {
    while (std::int64_t(block.tape.size()) < factors_) block.tape.push_back(make(channels_));
    block.embedded_gradient = make(width);
    block.first_values_gradient = make(channels_);
    block.adjoint = padded();
    block.model.gradients();  // which there are from the first time that they are asked for
  }
  has_training_memory_ = true;
}

/// How many sequences there are.
std::int64_t CutModel::expect_inputs(const chord_tensor* inputs) const {
  chord_tensor_info info = CHORD_TENSOR_INFO_INIT;
  chord::check(chord_tensor_get_info(inputs, &info));
  if (info.rank < 2 || info.shape[1] != share().count)
    throw std::invalid_argument("inputs have " + std::to_string(info.rank < 2 ? 0 : info.shape[1]) +
                                " rows of each sequence; expected " + std::to_string(share().count) +
                                ", those that the rank has");
  if (info.shape[0] < 1) throw std::invalid_argument("inputs have no sequences");
  return info.shape[0];
}

chord_step_result CutModel::gradients(const chord_tensor* inputs, const chord_tensor* labels) {
  const chord_step_result result = run(inputs, labels, true);
  gradients_->add_up(own_models());
  return result;
}

chord_step_result CutModel::evaluate(const chord_tensor* inputs, const chord_tensor* labels) {
  return run(inputs, labels, false);
}

std::vector<double> CutModel::outputs(const chord_tensor* inputs) {
  const std::int64_t count = begin(inputs, nullptr, false);
  reserve(false);
  std::vector<double> all;
  for (std::int64_t number = 0; number < count; ++number) {
    const Sequence sequence{inputs, nullptr, number, count, false};
    find_outputs(sequence);
    std::vector<double> own(static_cast<std::size_t>(outputs_.info().shape[1]));
    if (peers_.rank() == 0 && type_ == CHORD_FLOAT64) own = outputs_.to_host<double>();
    if (peers_.rank() == 0 && type_ == CHORD_FLOAT32) {
      const std::vector<float> narrow = outputs_.to_host<float>();
      own.assign(narrow.begin(), narrow.end());
    }
    peers_.broadcast(own.data(), own.size() * sizeof(double));
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void CutModel::apply_gradients(const chord_train_options& options) {
  for (Block& block : own_) block.model.apply_gradients(options);
}

/// How many sequences there are, once all ranks have what a pass needs.
std::int64_t CutModel::begin(const chord_tensor* inputs, const chord_tensor* labels, bool labelled) {
  std::int64_t count = 0;
  together(peers_, [&] {
    if (labelled && peers_.rank() == 0 && !labels) throw std::invalid_argument("labels is NULL at rank 0");
    count = expect_inputs(inputs);
  });
  peers_.broadcast(&count, sizeof count);
  return count;
}

chord_step_result CutModel::run(const chord_tensor* inputs, const chord_tensor* labels, bool training) {
  const std::int64_t count = begin(inputs, labels, true);
  reserve(training);
  chord_step_result sum = CHORD_STEP_RESULT_INIT;
  for (std::int64_t number = 0; number < count; ++number) {
    const Sequence sequence{inputs, labels, number, count, training};
    find_outputs(sequence);
    judge(sequence, sum);
    if (training) backward(sequence);
  }
  sum.loss /= double(std::max<std::int64_t>(count, 1));
  return sum;
}

/// To a model of a block's length, a block of a sequence is one of as many sequences as there are blocks: its dropout
/// is that of the whole model.
chord_train_options CutModel::options_of(const Sequence& sequence, const Block& block) const {
  chord_train_options options = CHORD_TRAIN_OPTIONS_INIT;
  options.first_sequence = sequence.number * blocks_.count + block.index;
  options.whole_batch = sequence.count;
  options.dropout = sequence.training;
  options.accumulate = sequence.number > 0;
  return options;
}

chord::Tensor CutModel::inputs_of(const Sequence& sequence, const Block& block) const {
  chord_tensor_info info = CHORD_TENSOR_INFO_INIT;
  chord::check(chord_tensor_get_info(sequence.inputs, &info));
  info.shape[0] = 1;
  info.shape[1] = rows_;
  const std::int64_t first = (block.index - own_.front().index) * rows_;
  chord_tensor* handle = nullptr;
  chord::check(chord_tensor_view(sequence.inputs, info.rank, info.shape, info.strides,
                                 sequence.number * info.strides[0] + first * info.strides[1], &handle));
  return chord::Tensor(handle);
}

/// A block's rows, as the layers take them.
chord::Tensor CutModel::as_sequence(const chord::Tensor& rows) const {
  const std::int64_t columns = rows.info().shape[1];
  return rows.view({1, rows_, columns}, {rows_ * columns, columns, 1});
}

/// The only part of a pass that can fail for what it was given: all ranks wait for each other before they go on.
void CutModel::embed(const Sequence& sequence) {
  together(peers_, [&] {
    for (Block& block : own_) {
      const chord_train_options options = options_of(sequence, block);
      chord::Tensor embedded = as_sequence(block.embedded), first = as_sequence(block.first_values);
      block.model.layer_forward({CHORD_LAYER_EMBEDDING}, inputs_of(sequence, block), embedded, options);
      block.model.layer_forward({CHORD_LAYER_VALUES}, embedded, first, options);
    }
    chord::check(chord_context_wait(context_));
  });
}

/// What goes into a factor; behind the last, what comes out. An evaluation swaps between two.
CutFactor::Values CutModel::values(std::int64_t factor, bool training) const {
  CutFactor::Values values;
  for (const Block& block : own_)
    values.push_back(factor == 0 ? &block.first_values
                                 : &block.tape[std::size_t(training ? factor - 1 : (factor - 1) % 2)]);
  return values;
}

void CutModel::make_factor(Block& block, std::int64_t factor) {
  chord::Tensor weights = as_sequence(rows_of(weights_.get(), {0, rows_}));
  block.model.layer_forward({CHORD_LAYER_FACTOR, 0, factor}, as_sequence(block.embedded), weights);
}

void CutModel::forward(const Sequence& sequence) {
  for (std::int64_t factor = 0; factor < factors_; ++factor) {
    const CutFactor::Values in = values(factor, sequence.training), out = values(factor + 1, sequence.training);
    factor_.send(in);
    for (std::size_t i = 0; i < own_.size(); ++i) {
      make_factor(own_[i], factor);
      chord::Tensor result = rows_of(out[i]->get(), {0, rows_});
      if (residual_)
        result.copy_from(own_[i].first_values);
      else
        result.fill(0);
      factor_.product(in, i, weights_, result);
    }
    factor_.flush();
  }
}

/// The head's first layer: of all blocks together, or of the first row, which rank 0 has.
void CutModel::pool(const Sequence& sequence) {
  const CutFactor::Values last = values(factors_, sequence.training);
  const auto pool = [&](Block& block) {
    block.model.layer_forward({CHORD_LAYER_HEAD}, as_sequence(*last[std::size_t(block.index - own_.front().index)]),
                              pooled_, options_of(sequence, block));
  };
  if (!flatten_) {
    if (peers_.rank() == 0) pool(own_.front());
    return;
  }
  const std::size_t bytes = pooled_.info().bytes;
  const TreeSum::Message& sum = pooled_sum_->sum(
      blocks_,
      [&](std::int64_t block, TreeSum::Message& into) {
        pool(own_[std::size_t(block - own_.front().index)]);
        chord::check(chord_tensor_to_host(pooled_.get(), into.data(), bytes));
      },
      [&](TreeSum::Message& to, const TreeSum::Message& other) {
        type_ == CHORD_FLOAT64 ? add_values<double>(to, other) : add_values<float>(to, other);
      });
  chord::check(chord_tensor_from_host(pooled_.get(), sum.data(), bytes));
}

/// Rank 0 has the rest of the head, and what comes out of it.
void CutModel::find_outputs(const Sequence& sequence) {
  embed(sequence);
  forward(sequence);
  pool(sequence);
  together(peers_, [&] {
    if (peers_.rank() != 0) return;
    Block& first = own_.front();
    first.model.layer_forward({CHORD_LAYER_OUTPUTS}, pooled_, outputs_, options_of(sequence, first));
  });
}

/// It tells the others the loss, and learns what that means for what they have pooled.
void CutModel::judge(const Sequence& sequence, chord_step_result& sum) {
  chord_step_result result = CHORD_STEP_RESULT_INIT;
  together(peers_, [&] {
    if (peers_.rank() != 0) return;
    chord::Model& model = own_.front().model;
    const chord_train_options options = options_of(sequence, own_.front());
    result = model.loss(outputs_, rows_of(sequence.labels, {sequence.number, 1}), &outputs_gradient_, options);
    if (sequence.training)
      model.layer_backward({CHORD_LAYER_OUTPUTS}, pooled_, outputs_gradient_, &pooled_gradient_, options);
  });
  peers_.broadcast(&result, sizeof result);
  sum.loss += result.loss;
  sum.correct += result.correct;
  sum.count += result.count;
}

void CutModel::backward_head(const Sequence& sequence) {
  if (flatten_) {
    std::vector<char> gradient(pooled_gradient_.info().bytes);
    if (peers_.rank() == 0)
      chord::check(chord_tensor_to_host(pooled_gradient_.get(), gradient.data(), gradient.size()));
    peers_.broadcast(gradient.data(), gradient.size());
    chord::check(chord_tensor_from_host(pooled_gradient_.get(), gradient.data(), gradient.size()));
  }
  const CutFactor::Values last = values(factors_, true);
  for (std::size_t i = 0; i < own_.size(); ++i) {
    Block& block = own_[i];
    chord::Tensor adjoint = as_sequence(rows_of(block.adjoint.get(), {0, rows_}));
    if (flatten_ || block.index == 0)
      block.model.layer_backward({CHORD_LAYER_HEAD}, as_sequence(*last[i]), pooled_gradient_, &adjoint,
                                 options_of(sequence, block));
    else
      adjoint.fill(0);
  }
}

void CutModel::backward(const Sequence& sequence) {
  backward_head(sequence);
  CutFactor::Values adjoints;
  for (Block& block : own_) {
    adjoints.push_back(&block.adjoint);
    block.first_values_gradient.fill(0);
  }
  for (std::int64_t factor = factors_ - 1; factor >= 0; --factor) {
    const CutFactor::Values in = values(factor, true);
    factor_.send(in);
    for (std::size_t i = 0; i < own_.size(); ++i) {
      Block& block = own_[i];
      make_factor(block, factor);
      if (residual_) factor_.add(rows_of(block.adjoint.get(), {0, rows_}), block.first_values_gradient);
      factor_.gradient_weights(in, i, block.adjoint, weights_gradient_);
      chord::Tensor embedded_gradient = as_sequence(block.embedded_gradient);
      block.model.layer_backward({CHORD_LAYER_FACTOR, 0, factor}, as_sequence(block.embedded),
                                 as_sequence(rows_of(weights_gradient_.get(), {0, rows_})), &embedded_gradient,
                                 options_of(sequence, block), factor + 1 < factors_);
      factor_.gradient_values(i, weights_, block.adjoint);
    }
    factor_.flush();
    factor_.exchange(adjoints);
  }
  for (Block& block : own_) {
    const chord_train_options options = options_of(sequence, block);
    factor_.add(rows_of(block.adjoint.get(), {0, rows_}), block.first_values_gradient);
    chord::Tensor embedded_gradient = as_sequence(block.embedded_gradient);
    block.model.layer_backward({CHORD_LAYER_VALUES}, as_sequence(block.embedded),
                               as_sequence(block.first_values_gradient), &embedded_gradient, options, factors_ > 0);
    block.model.layer_backward({CHORD_LAYER_EMBEDDING}, inputs_of(sequence, block), embedded_gradient, nullptr,
                               options);
  }
}

void CutModel::set_state(chord_model* whole) { cut_state(peers_, *parameters_, blocks_, own_models(), whole); }
void CutModel::get_state(chord_model* whole) { join_state(peers_, *parameters_, blocks_, own_models(), whole); }

std::vector<chord::Model*> CutModel::own_models() {
  std::vector<chord::Model*> models;
  for (Block& block : own_) models.push_back(&block.model);
  return models;
}

}  // namespace parallel
