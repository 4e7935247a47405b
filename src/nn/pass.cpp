#include "nn/pass.hpp"

#include "common/size.hpp"
#include "nn/padding.hpp"
#include "operations/chain.hpp"
#include "operations/copy.hpp"
#include "operations/walk.hpp"

namespace chord {
template <class T>
Pass<T>::Pass(const PassData<T>& data, std::shared_ptr<const Workspace> workspace)
    : data_(data),
      workspace_(std::move(workspace)),
      space_(*workspace_),
      memory_(Tensor::create(data.pattern->context(), data.description.type(), {space_.size})) {}

template <class T>
Tensor Pass<T>::tensor(std::int64_t offset, const Extents& shape) const {
  return memory_.view(shape, contiguous_strides(shape), offset);
}

template <class T>
Tensor Pass<T>::values_tensor(std::int64_t offset) const {
  return tensor(offset, {data_.sequences, data_.description.length, data_.description.channels});
}

/// The same as a view, with others of its kind behind it as factors.
template <class T>
View<T> Pass<T>::values_view(std::int64_t offset) const {
  const ModelDescription& d = data_.description;
  return {at(offset), rows() * d.channels, d.length * d.channels, d.channels};
}

template <class T>
Layers<T> Pass<T>::layers(Queue& queue, bool accumulate) const {
  return {queue, data_.description, data_.list, data_.parameters, data_.gradients, accumulate};
}

template <class T>
Mlps Pass<T>::f(std::int64_t block, std::int64_t factor, std::int64_t count) const {
  MlpPlace place = data_.list.blocks[block].f;
  place.offset += factor * place.network.size();
  return {place, count};
}

template <class T>
Mlps Pass<T>::g(std::int64_t block) const {
  return {data_.list.blocks[block].g, 1};
}

template <class T>
void Pass<T>::drop(double share, std::int32_t layer, std::int64_t columns, T* values) {
  if (data_.with_dropout)
    layers(*context().submit())
        .dropout(share, data_.dropout, layer, values, rows() * columns,
                 data_.first_sequence * data_.description.length * columns);
}

/// Of what a network has made of every row, or of the gradient of that: [factors, rows, columns].
template <class T>
void Pass<T>::clear_padding(T* x, std::int64_t factors, std::int64_t columns) const {
  if (!data_.lengths) return;
  const std::int64_t n = data_.description.length;
  chord::clear_padding<T>(*context().submit(), data_.lengths, {x, rows() * columns, n * columns, columns},
                          {factors, data_.sequences, n, columns});
}

/// The head's input: of every sequence the first `pooled` values, which are all of them or those of its first row.
template <class T>
View<T> Pass<T>::pooled(std::int64_t values) const {
  return {at(values), 0, 0, data_.description.length * data_.description.channels};
}

template <class T>
void Pass<T>::embed_inputs() {
  T* embedded = at(space_.blocks.front().input);
  layers(*context().submit()).embed(data_.inputs, data_.sequences, embedded);
  drop(data_.description.dropout_input, dropout_behind_embedding, data_.description.width, embedded);
}

template <class T>
void Pass<T>::make_first_values(std::int64_t block) {
  const Workspace::Block& place = space_.blocks[block];
  layers(*context().submit()).mlp_forward(g(block), at(place.input), rows(), at(place.v0), at(space_.scratch));
  drop(data_.description.dropout_values, dropout_behind_g + std::int32_t(block), data_.description.channels,
       at(place.v0));
  clear_padding(at(place.v0), 1, data_.description.channels);
}

template <class T>
void Pass<T>::make_factors(std::int64_t block) {
  const ModelDescription& d = data_.description;
  const Workspace::Block& place = space_.blocks[block];
  if (d.factors == 0) return;
  layers(*context().submit())
      .mlp_forward(f(block, 0, d.factors), at(place.input), rows(), at(place.factors), at(space_.scratch));
  clear_padding(at(place.factors), d.factors, d.links);
}

template <class T>
void Pass<T>::forward_block(std::int64_t block) {
  const ModelDescription& d = data_.description;
  const Workspace::Block& place = space_.blocks[block];
  make_factors(block);
  const Chain chain(data_.pattern, tensor(place.factors, {d.factors, data_.sequences, d.length, d.links}), d.residual);
  const bool taped = space_.shape.training && d.factors > 1;
  const Tensor tape = tensor(place.tape, {taped ? d.factors - 1 : 0, data_.sequences, d.length, d.channels});
  chain.apply(values_tensor(place.v0), values_tensor(place.values), taped ? &tape : nullptr);
}

/// Steps of a walk whose factors are never there all at once: each is made when its step comes and, on the way back,
/// its gradient goes into the network's at once.
template <class T>
class Pass<T>::FactorByFactor : public LaunchSteps<T> {
 public:
  FactorByFactor(const Pass& pass, Queue& queue, std::int64_t block)
      : LaunchSteps<T>{.queue = &queue,
                       .links = pass.data_.pattern->device_links(),
                       .sequences = pass.data_.sequences,
                       .columns = pass.data_.description.channels},
        pass_(&pass),
        block_(block) {
    const ModelDescription& d = pass.data_.description;
    this->w = {pass.at(place().factors), 0, d.length * d.links, d.links};
  }

  /// The way back: where gradients go.
  FactorByFactor(const Pass& pass, Queue& queue, std::int64_t block, T* input_gradient, bool accumulate)
      : FactorByFactor(pass, queue, block) {
    this->dw = {pass.at(pass.space_.factors_gradient), 0, this->w.sequence_stride, this->w.row_stride};
    input_gradient_ = input_gradient;
    accumulate_ = accumulate;
  }

  void product(int term, int step, kernels::Step which, View<const T> in, View<T> out, View<const T> add) {
    if (!input_gradient_) make(which.factor);
    LaunchSteps<T>::product(term, step, which, in, out, add);
  }

  void gradient_weights(int term, int step, kernels::Step which, View<const T> adjoint, View<const T> input) {
    make(which.factor);
    LaunchSteps<T>::gradient_weights(term, step, which, adjoint, input);
    pass_->clear_padding(this->dw.data, 1, pass_->data_.description.links);
    const bool first = which.factor + 1 == pass_->data_.description.factors;
    pass_->layers(*this->queue, accumulate_)
        .mlp_backward(pass_->f(block_, which.factor, 1), pass_->at(place().input), pass_->rows(),
                      {this->dw.data, input_gradient_, !first, pass_->at(pass_->space_.partial),
                       pass_->at(pass_->space_.scratch)});
  }

 private:
  const Workspace::Block& place() const { return pass_->space_.blocks[block_]; }
  void make(int factor) {
    pass_->layers(*this->queue)
        .mlp_forward(pass_->f(block_, factor, 1), pass_->at(place().input), pass_->rows(), pass_->at(place().factors),
                     pass_->at(pass_->space_.scratch));
    pass_->clear_padding(pass_->at(place().factors), 1, pass_->data_.description.links);
  }

  const Pass* pass_;
  std::int64_t block_;
  T* input_gradient_ = nullptr;
  bool accumulate_ = false;
};

template <class T>
void Pass<T>::forward_factor_by_factor(std::int64_t block) {
  const ModelDescription& d = data_.description;
  const Workspace::Block& place = space_.blocks[block];
  if (d.factors == 0) return copy(values_tensor(place.v0), values_tensor(place.values));
  const View<T> stored = values_view(place.tape);
  const kernels::Walk walk{int(d.factors), kernels::form_product, d.residual};
  auto queue = context().submit();
  // Training keeps every output, a forward pass alone swaps between two.
  const bool taped = space_.shape.training;
  kernels::ApplyPlaces<T, FactorByFactor> steps{FactorByFactor(*this, *queue, block),
                                                values_view(place.v0),
                                                values_view(place.values),
                                                taped ? stored : View<T>{},
                                                stored,
                                                walk.steps() - 1};
  walk_forward(walk, walk.steps(), steps);
}

template <class T>
void Pass<T>::forward() {
  const ModelDescription& d = data_.description;
  embed_inputs();
  for (std::int64_t b = 0; b < d.blocks; ++b) {
    make_first_values(b);
    if (space_.shape.memory == Memory::low)
      forward_factor_by_factor(b);
    else
      forward_block(b);
  }
  const std::int64_t values = space_.blocks.back().values;
  drop(d.dropout_output, dropout_before_head, d.channels, at(values));
  auto queue = context().submit();
  Layers<T> head = layers(*queue);
  head.dense_forward(data_.list.head[0], pooled(values), data_.sequences, at(space_.head[0]), at(space_.head_partial));
  if (d.head_hidden == 0) return;
  head.gelu_forward(at(space_.head[0]), data_.sequences * d.head_hidden, at(space_.head_activated));
  head.dense_forward(data_.list.head[1], {at(space_.head_activated), 0, 0, d.head_hidden}, data_.sequences,
                     at(space_.head[1]), at(space_.head_partial));
}

template <class T>
void Pass<T>::copy_outputs(const Tensor& to) const {
  copy(tensor(space_.head.back(), {data_.sequences, data_.description.classes}), to);
}

template <class T>
void Pass<T>::loss(double scale, T* parts) {
  layers(*context().submit())
      .loss(at(space_.head.back()), data_.labels, data_.sequences, scale,
            {parts, parts + data_.sequences, parts + 2 * data_.sequences, at(space_.output_gradient)});
}

template <class T>
void Pass<T>::take_output_gradient(const Tensor& from) {
  copy(from, tensor(space_.output_gradient, {data_.sequences, data_.description.classes}));
}

/// From the loss's gradient to that of the last block's values.
template <class T>
void Pass<T>::backward_head(bool accumulate) {
  const ModelDescription& d = data_.description;
  if (d.pooling == Pooling::cls) fill(values_tensor(space_.values_gradient), 0);
  auto queue = context().submit();
  Layers<T> head = layers(*queue, accumulate);
  const T* gradient = at(space_.output_gradient);
  if (d.head_hidden > 0) {
    T* activated = at(space_.activated_gradient);
    head.dense_backward(data_.list.head[1], {at(space_.head_activated), 0, 0, d.head_hidden}, data_.sequences, gradient,
                        {activated, 0, 0, d.head_hidden});
    head.gelu_backward(at(space_.head[0]), data_.sequences * d.head_hidden, activated);
    gradient = activated;
  }
  head.dense_backward(data_.list.head[0], pooled(space_.blocks.back().values), data_.sequences, gradient,
                      pooled(space_.values_gradient));
}

template <class T>
void Pass<T>::backward(bool accumulate) {
  const ModelDescription& d = data_.description;
  backward_head(accumulate);
  std::int64_t gradient = space_.values_gradient;
  drop(d.dropout_output, dropout_before_head, d.channels, at(gradient));
  std::int64_t input_gradient = space_.input_gradient, other = space_.other_input_gradient;
  for (std::int64_t b = d.blocks - 1; b >= 0; --b) {
    if (space_.shape.memory == Memory::low)
      backward_factor_by_factor(b, gradient, at(input_gradient), accumulate);
    else
      backward_block(b, gradient, at(input_gradient), accumulate);
    gradient = input_gradient;
    std::swap(input_gradient, other);
  }
  drop(d.dropout_input, dropout_behind_embedding, d.width, at(gradient));
  layers(*context().submit(), accumulate)
      .embed_backward(data_.inputs, data_.sequences, at(gradient), at(space_.partial));
}

template <class T>
void Pass<T>::copy_input_gradient(const Tensor& to) const {
  const Tensor packed = to.contiguous() ? to : Tensor::create(to.storage->shared_context(), to.type, to.shape);
  layers(*context().submit()).embed_gradient_input(at(embedded_gradient()), data_.sequences, packed.data<T>());
  if (!to.contiguous()) copy(packed, to);
}

template <class T>
void Pass<T>::backward_block(std::int64_t block, std::int64_t gradient, T* input_gradient, bool accumulate) {
  const ModelDescription& d = data_.description;
  const Workspace::Block& place = space_.blocks[block];
  const Extents factors{d.factors, data_.sequences, d.length, d.links};
  const Tensor tape =
      tensor(place.tape, {std::max<std::int64_t>(d.factors - 1, 0), data_.sequences, d.length, d.channels});
  const Tensor v0_gradient = values_tensor(space_.v0_gradient);
  Chain(data_.pattern, tensor(place.factors, factors), d.residual)
      .gradient(values_tensor(place.v0), &tape, values_tensor(gradient), tensor(space_.factors_gradient, factors),
                &v0_gradient, false);
  clear_padding(at(space_.factors_gradient), d.factors, d.links);
  clear_padding(at(space_.v0_gradient), 1, d.channels);
  drop(d.dropout_values, dropout_behind_g + std::int32_t(block), d.channels, at(space_.v0_gradient));
  auto queue = context().submit();
  Layers<T> networks = layers(*queue, accumulate);
  networks.mlp_backward(g(block), at(place.input), rows(),
                        {at(space_.v0_gradient), input_gradient, false, at(space_.partial), at(space_.scratch)});
  if (d.factors > 0)
    networks.mlp_backward(f(block, 0, d.factors), at(place.input), rows(),
                          {at(space_.factors_gradient), input_gradient, true, at(space_.partial), at(space_.scratch)});
}

template <class T>
void Pass<T>::backward_factor_by_factor(std::int64_t block, std::int64_t gradient, T* input_gradient, bool accumulate) {
  const ModelDescription& d = data_.description;
  const Workspace::Block& place = space_.blocks[block];
  if (d.factors == 0) {
    copy(values_tensor(gradient), values_tensor(space_.v0_gradient));
  } else {
    const kernels::Walk walk{int(d.factors), kernels::form_product, d.residual};
    auto queue = context().submit();
    kernels::GradientPlaces<T, FactorByFactor> steps{FactorByFactor(*this, *queue, block, input_gradient, accumulate),
                                                     values_view(place.v0),
                                                     values_view(gradient),
                                                     values_view(place.tape),
                                                     values_view(space_.v0_gradient),
                                                     values_view(space_.swap),
                                                     walk.steps() - 1};
    walk_back(walk, kernels::Wanted{.weights = true, .input = true}, steps);
  }
  clear_padding(at(space_.v0_gradient), 1, d.channels);
  drop(d.dropout_values, dropout_behind_g + std::int32_t(block), d.channels, at(space_.v0_gradient));
  layers(*context().submit(), accumulate)
      .mlp_backward(g(block), at(place.input), rows(),
                    {at(space_.v0_gradient), input_gradient, d.factors > 0, at(space_.partial), at(space_.scratch)});
}

template <class T>
void Pass<T>::attention(std::int64_t block, const std::vector<std::int64_t>& indices, const Tensor& out) {
  const ModelDescription& d = data_.description;
  embed_inputs();
  for (std::int64_t b = 0; b < block; ++b) {
    make_first_values(b);
    forward_block(b);
  }
  make_factors(block);
  Chain(data_.pattern, tensor(space_.blocks[block].factors, {d.factors, data_.sequences, d.length, d.links}), false)
      .rows(indices, out);
  if (data_.lengths)  // a column is a position, too
    chord::clear_padding<T>(*context().submit(), data_.lengths,
                            {out.data<T>(), out.strides[1], out.strides[0], out.strides[2]},
                            {out.shape[1], data_.sequences, d.length, 1});
}

template class Pass<float>;
template class Pass<double>;

}  // namespace chord
