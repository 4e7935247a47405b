#include "nn/pass.hpp"

#include "common/size.hpp"
#include "device/launch.hpp"
#include "operations/chain.hpp"
#include "operations/copy.hpp"
#include "operations/product.hpp"

namespace chord {
namespace {

// Which dropout a random number is for: behind the embedding, before the head, behind the g of block b.
constexpr std::int32_t input_layer = 0, output_layer = 1, first_values_layer = 2;

}  // namespace

template <class T>
Pass<T>::Pass(const PassData<T>& data, const PassShape& shape)
    : data_(data),
      shape_(shape),
      space_(data.description, data.list, data.pattern->context()->device(), shape),
      memory_(Tensor::create(data.pattern->context(), data.description.type(), {space_.size})) {}

template <class T>
Tensor Pass<T>::tensor(std::int64_t offset, const Extents& shape) const {
  return memory_.view(shape, contiguous_strides(shape), offset);
}

template <class T>
Tensor Pass<T>::values_tensor(std::int64_t offset) const {
  return tensor(offset, {shape_.sequences, data_.description.length, data_.description.channels});
}

template <class T>
Mlps<T> Pass<T>::f(std::int64_t block, std::int64_t factor, std::int64_t count) const {
  MlpPlace place = data_.list.blocks[block].f;
  place.offset += factor * place.size();
  return {place, count, data_.parameters};
}

template <class T>
Mlps<T> Pass<T>::g(std::int64_t block) const {
  return {data_.list.blocks[block].g, 1, data_.parameters};
}

template <class T>
void Pass<T>::drop(double share, std::int32_t layer, std::int64_t columns, T* values) {
  if (data_.with_dropout)
    dropout(*context().submit(), share, data_.dropout, layer, values, rows() * columns,
            data_.first * data_.description.length * columns);
}

template <class T>
DenseRows<const T> Pass<T>::pooled(const T* values) const {
  return {values, data_.description.length * data_.description.channels};
}

template <class T>
void Pass<T>::embed_inputs() {
  const ModelDescription& d = data_.description;
  T* embedded = at(space_.blocks.front().input);
  embed(*context().submit(), Embedding<T>{d, data_.list}, data_.parameters, data_.inputs, shape_.sequences, embedded);
  drop(d.dropout_input, input_layer, d.width, embedded);
}

template <class T>
void Pass<T>::make_first_values(std::int64_t block) {
  const Workspace::Block& place = space_.blocks[block];
  mlp_forward(*context().submit(), g(block), at(place.input), rows(), at(place.first), at(space_.scratch));
  drop(data_.description.dropout_values, first_values_layer + std::int32_t(block), data_.description.channels,
       at(place.first));
}

template <class T>
void Pass<T>::make_factors(std::int64_t block) {
  const Workspace::Block& place = space_.blocks[block];
  if (data_.description.factors > 0)
    mlp_forward(*context().submit(), f(block, 0, data_.description.factors), at(place.input), rows(), at(place.factors),
                at(space_.scratch));
}

template <class T>
void Pass<T>::forward_block(std::int64_t block) {
  const ModelDescription& d = data_.description;
  const Workspace::Block& place = space_.blocks[block];
  make_factors(block);
  const Chain chain(data_.pattern, tensor(place.factors, {d.factors, shape_.sequences, d.length, d.links}), d.residual);
  const bool taped = shape_.training && d.factors > 1;
  const Tensor tape = tensor(place.tape, {taped ? d.factors - 1 : 0, shape_.sequences, d.length, d.channels});
  chain.apply(values_tensor(place.first), values_tensor(place.values), taped ? &tape : nullptr);
}

template <class T>
void Pass<T>::forward_factor_by_factor(std::int64_t block) {
  const ModelDescription& d = data_.description;
  const Workspace::Block& place = space_.blocks[block];
  if (d.factors == 0) return copy(values_tensor(place.first), values_tensor(place.values));
  const std::int64_t size = rows() * d.channels, sequence = d.length * d.channels;
  const auto batch = [&](const T* values) { return Rows<const T>{values, sequence, d.channels}; };
  const T* in = at(place.first);
  for (std::int64_t m = 0; m < d.factors; ++m) {
    const std::int64_t entry = shape_.training ? m : m % 2;
    T* out = m + 1 == d.factors ? at(place.values) : at(place.tape) + entry * size;
    auto queue = context().submit();
    mlp_forward(*queue, f(block, m, 1), at(place.input), rows(), at(place.factors), at(space_.scratch));
    launch_product<T>(*queue, false, *data_.pattern, shape_.sequences, d.channels,
                      {at(place.factors), d.length * d.links, d.links}, batch(in), {out, sequence, d.channels},
                      d.residual ? batch(at(place.first)) : Rows<const T>{});
    in = out;
  }
}

template <class T>
void Pass<T>::forward() {
  const ModelDescription& d = data_.description;
  embed_inputs();
  for (std::int64_t b = 0; b < d.blocks; ++b) {
    make_first_values(b);
    if (shape_.memory == Memory::low)
      forward_factor_by_factor(b);
    else
      forward_block(b);
  }
  T* values = at(space_.blocks.back().values);
  drop(d.dropout_output, output_layer, d.channels, values);
  auto queue = context().submit();
  dense_forward(*queue, data_.list.head[0], data_.parameters, pooled(values), shape_.sequences, at(space_.head[0]));
  if (d.head_hidden == 0) return;
  gelu_forward(*queue, at(space_.head[0]), shape_.sequences * d.head_hidden, at(space_.head_activated));
  dense_forward(*queue, data_.list.head[1], data_.parameters, {at(space_.head_activated), d.head_hidden},
                shape_.sequences, at(space_.head[1]));
}

template <class T>
void Pass<T>::copy_outputs(const Tensor& to) const {
  copy(tensor(space_.head.back(), {shape_.sequences, data_.description.classes}), to);
}

template <class T>
void Pass<T>::loss(double scale) {
  loss_rows<T>(*context().submit(), data_.description, outputs(), data_.labels, shape_.sequences, scale,
               {at(space_.sums), at(space_.gaps), at(space_.correct), at(space_.output_gradient)});
}

template <class T>
void Pass<T>::backward(bool accumulate) {
  const ModelDescription& d = data_.description;
  T* gradient = at(space_.values_gradient);
  const DenseRows<const T> head_input = pooled(at(space_.blocks.back().values));
  const DenseRows<T> head_input_gradient{gradient, head_input.stride};
  if (d.pooling == Pooling::cls) fill(values_tensor(space_.values_gradient), 0);
  {
    auto queue = context().submit();
    const T* first_layer = at(space_.output_gradient);
    if (d.head_hidden > 0) {
      T* activated = at(space_.activated_gradient);
      dense_backward(*queue, data_.list.head[1], data_.parameters, {at(space_.head_activated), d.head_hidden},
                     shape_.sequences, at(space_.output_gradient), {activated, d.head_hidden}, data_.gradients,
                     accumulate);
      gelu_backward(*queue, at(space_.head[0]), shape_.sequences * d.head_hidden, activated);
      first_layer = activated;
    }
    dense_backward(*queue, data_.list.head[0], data_.parameters, head_input, shape_.sequences, first_layer,
                   head_input_gradient, data_.gradients, accumulate);
  }
  drop(d.dropout_output, output_layer, d.channels, gradient);
  T* input_gradient = at(space_.input_gradient);
  T* other = at(space_.other_input_gradient);
  for (std::int64_t b = d.blocks - 1; b >= 0; --b) {
    if (shape_.memory == Memory::low)
      backward_factor_by_factor(b, gradient, input_gradient, accumulate);
    else
      backward_block(b, gradient, input_gradient, accumulate);
    gradient = input_gradient;
    std::swap(input_gradient, other);
  }
  drop(d.dropout_input, input_layer, d.width, gradient);
  embed_backward(*context().submit(), Embedding<T>{d, data_.list}, data_.inputs, shape_.sequences, gradient,
                 data_.gradients, accumulate, at(space_.partial));
}

template <class T>
void Pass<T>::backward_block(std::int64_t block, const T* gradient, T* input_gradient, bool accumulate) {
  const ModelDescription& d = data_.description;
  const Workspace::Block& place = space_.blocks[block];
  const Extents factors{d.factors, shape_.sequences, d.length, d.links};
  const Tensor tape =
      tensor(place.tape, {std::max<std::int64_t>(d.factors - 1, 0), shape_.sequences, d.length, d.channels});
  const Tensor first_gradient = values_tensor(space_.first_gradient);
  Chain(data_.pattern, tensor(place.factors, factors), d.residual)
      .gradient(values_tensor(place.first), &tape, values_tensor(gradient - at(0)),
                tensor(space_.factors_gradient, factors), &first_gradient, false);
  drop(d.dropout_values, first_values_layer + std::int32_t(block), d.channels, at(space_.first_gradient));
  auto queue = context().submit();
  mlp_backward(*queue, g(block), at(place.input), rows(), at(space_.first_gradient), input_gradient, false,
               data_.gradients, accumulate, at(space_.partial), at(space_.scratch));
  if (d.factors > 0)
    mlp_backward(*queue, f(block, 0, d.factors), at(place.input), rows(), at(space_.factors_gradient), input_gradient,
                 true, data_.gradients, accumulate, at(space_.partial), at(space_.scratch));
}

template <class T>
void Pass<T>::backward_factor_by_factor(std::int64_t block, const T* gradient, T* input_gradient, bool accumulate) {
  const ModelDescription& d = data_.description;
  const Workspace::Block& place = space_.blocks[block];
  const std::int64_t size = rows() * d.channels, sequence = d.length * d.channels;
  const Rows<T> factor{at(place.factors), d.length * d.links, d.links};
  const Rows<T> factor_gradient{at(space_.factors_gradient), factor.sequence, factor.row};
  const Rows<T> sum{at(space_.first_gradient), sequence, d.channels};
  Rows<const T> adjoint{gradient, sequence, d.channels};
  if (d.factors == 0) copy(values_tensor(gradient - at(0)), values_tensor(space_.first_gradient));
  for (std::int64_t m = d.factors - 1; m >= 0; --m) {
    auto queue = context().submit();
    const Rows<const T> in{m == 0 ? at(place.first) : at(place.tape) + (m - 1) * size, sequence, d.channels};
    mlp_forward(*queue, f(block, m, 1), at(place.input), rows(), factor.data, at(space_.scratch));
    launch_product_weights<T>(*queue, *data_.pattern, shape_.sequences, 1, d.channels, adjoint, in, factor_gradient,
                              false);
    mlp_backward(*queue, f(block, m, 1), at(place.input), rows(), factor_gradient.data, input_gradient,
                 m + 1 < d.factors, data_.gradients, accumulate, at(space_.partial), at(space_.scratch));
    // With residuals every factor's output also holds the first values.
    if (d.residual)
      launch<&kernels::add_rows<T>>(*queue, Grid{std::size_t(shape_.sequences), std::size_t(d.length)}, adjoint.data,
                                    sequence, d.channels, sum.data, sequence, d.channels, d.channels,
                                    m + 1 < d.factors);
    const Rows<T> out = m == 0 ? sum : Rows<T>{at(space_.swap) + m % 2 * size, sequence, d.channels};
    launch_product<T>(*queue, true, *data_.pattern, shape_.sequences, d.channels, factor, adjoint, out,
                      m == 0 && d.residual ? Rows<const T>(sum) : Rows<const T>{});
    adjoint = out;
  }
  drop(d.dropout_values, first_values_layer + std::int32_t(block), d.channels, at(space_.first_gradient));
  mlp_backward(*context().submit(), g(block), at(place.input), rows(), at(space_.first_gradient), input_gradient,
               d.factors > 0, data_.gradients, accumulate, at(space_.partial), at(space_.scratch));
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
  Chain(data_.pattern, tensor(space_.blocks[block].factors, {d.factors, shape_.sequences, d.length, d.links}), false)
      .rows(indices, out);
}

template class Pass<float>;
template class Pass<double>;

}  // namespace chord
