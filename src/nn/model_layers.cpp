// The layers of a model one by one.
#include "nn/arguments.hpp"
#include "nn/layers.hpp"
#include "nn/model.hpp"
#include "operations/shapes.hpp"

namespace chord {

/// A layer on whole sequences, all of whose tensors are contiguous.
template <class T>
class Model::LayerStep {
 public:
  LayerStep(const Model& model, const LayerPlace& place, const Share& share, std::int64_t sequences)
      : model_(model), place_(place), share_(share), sequences_(sequences) {}

  void forward(const Tensor& in, const Tensor& out) const {
    switch (place_.kind) {
      case Kind::embedding:
        layers(*context().submit()).embed(in.data<void>(), sequences_, out.data<T>());
        return drop(d().dropout_input, dropout_behind_embedding, out);
      case Kind::values:
        networks_forward(in, out);
        return drop(d().dropout_values, dropout_behind_g + std::int32_t(place_.block), out);
      case Kind::factor: return networks_forward(in, out);
      case Kind::head:
        return dense_forward(model_.list_.head[0], dropped(in, d().dropout_output, dropout_before_head), out);
      case Kind::outputs: return outputs_forward(in, out);
    }
  }

  void backward(const Tensor& in, const Tensor& dout, const Tensor& din, bool accumulate_din) const {
    switch (place_.kind) {
      case Kind::embedding:
        return embedding_backward(in, dropped(dout, d().dropout_input, dropout_behind_embedding), din);
      case Kind::values:
        return networks_backward(in, dropped(dout, d().dropout_values, dropout_behind_g + std::int32_t(place_.block)),
                                 din, accumulate_din);
      case Kind::factor: return networks_backward(in, dout, din, accumulate_din);
      case Kind::head: return head_backward(in, dout, din);
      case Kind::outputs: return outputs_backward(in, dout, din);
    }
  }

 private:
  using Kind = LayerPlace::Kind;
  const ModelDescription& d() const { return model_.description_; }
  Context& context() const { return *model_.context(); }
  std::int64_t rows() const { return sequences_ * d().length; }

  Layers<T> layers(Queue& queue) const {
    return {queue,
            d(),
            model_.list_,
            model_.values_.data<T>(),
            model_.gradients_ ? model_.gradients_->data<T>() : nullptr,
            share_.accumulate};
  }

  void drop(double share, std::int32_t layer, const Tensor& values) const {
    if (!share_.dropout) return;
    const std::int64_t of_a_sequence = values.elements() / std::max<std::int64_t>(sequences_, 1);
    layers(*context().submit())
        .dropout(share, {model_.seed_, model_.state_->number()}, layer, values.data<T>(), values.elements(),
                 share_.first * of_a_sequence);
  }

  /// A copy, where there is something to drop.
  Tensor dropped(const Tensor& values, double share, std::int32_t layer) const {
    if (!share_.dropout || share == 0) return values;
    const Tensor copied = Tensor::create(model_.context(), values.type, values.shape);
    copy(values, copied);
    drop(share, layer, copied);
    return copied;
  }

  Mlps networks() const {
    const BlockPlaces& block = model_.list_.blocks[std::size_t(place_.block)];
    if (place_.kind == Kind::values) return {block.g, 1};
    MlpPlace f = block.f;
    f.offset += place_.factor * f.network.size();
    return {f, 1};
  }

  Scratch networks_scratch() const {
    return {context(), std::size_t(Layers<T>::mlp_scratch(context().device(), networks(), rows())) * sizeof(T)};
  }

  void networks_forward(const Tensor& in, const Tensor& out) const {
    const Scratch scratch = networks_scratch();
    layers(*context().submit()).mlp_forward(networks(), in.data<T>(), rows(), out.data<T>(), scratch.as<T>());
  }

  void networks_backward(const Tensor& in, const Tensor& dout, const Tensor& din, bool accumulate_din) const {
    const Scratch scratch = networks_scratch();
    const Scratch partial(context(),
                          std::size_t(Layers<T>::mlp_partial(context().device(), networks(), rows())) * sizeof(T));
    layers(*context().submit())
        .mlp_backward(networks(), in.data<T>(), rows(),
                      {dout.data<T>(), din.data<T>(), accumulate_din, partial.as<T>(), scratch.as<T>()});
  }

  void embedding_backward(const Tensor& in, const Tensor& dout, const Tensor& din) const {
    const Scratch partial(context(),
                          std::size_t(Layers<T>::embed_partial(context().device(), d(), rows())) * sizeof(T));
    layers(*context().submit()).embed_backward(in.data<void>(), sequences_, dout.data<T>(), partial.as<T>());
    if (din.storage) layers(*context().submit()).embed_gradient_input(dout.data<T>(), sequences_, din.data<T>());
  }

  /// The rows of a layer of the head lie as far apart as those of the tensor's sequences.
  View<T> rows_of(const Tensor& tensor) const {
    return {tensor.data<T>(), 0, 0, tensor.elements() / std::max<std::int64_t>(sequences_, 1)};
  }

  void dense_forward(const LinearPlace& place, const Tensor& in, const Tensor& out) const {
    const std::int64_t pieces = Layers<T>::dense_pieces(context().device(), place.ins);
    const Scratch partial(context(), std::size_t(pieces * sequences_ * place.outs) * sizeof(T));
    layers(*context().submit()).dense_forward(place, rows_of(in), sequences_, out.data<T>(), partial.as<T>());
  }

  void head_backward(const Tensor& in, const Tensor& dout, const Tensor& din) const {
    if (d().pooling == Pooling::cls) fill(din, 0);
    layers(*context().submit())
        .dense_backward(model_.list_.head[0], rows_of(dropped(in, d().dropout_output, dropout_before_head)), sequences_,
                        dout.data<T>(), rows_of(din));
    drop(d().dropout_output, dropout_before_head, din);
  }

  void outputs_forward(const Tensor& in, const Tensor& out) const {
    if (d().head_hidden == 0) return copy(in, out);
    dense_forward(model_.list_.head[1], activated(in), out);
  }

  void outputs_backward(const Tensor& in, const Tensor& dout, const Tensor& din) const {
    if (d().head_hidden == 0) return copy(dout, din);
    layers(*context().submit())
        .dense_backward(model_.list_.head[1], rows_of(activated(in)), sequences_, dout.data<T>(), rows_of(din));
    layers(*context().submit()).gelu_backward(in.data<T>(), in.elements(), din.data<T>());
  }

  Tensor activated(const Tensor& in) const {
    const Tensor result = Tensor::create(model_.context(), in.type, in.shape);
    layers(*context().submit()).gelu_forward(in.data<T>(), in.elements(), result.data<T>());
    return result;
  }

  const Model& model_;
  const LayerPlace place_;
  const Share share_;
  const std::int64_t sequences_;
};

Extents Model::layer_input(const LayerPlace& place, std::int64_t sequences) const {
  using Kind = LayerPlace::Kind;
  const ModelDescription& d = description_;
  switch (place.kind) {
    case Kind::embedding:
      return d.input == InputKind::tokens ? Extents{sequences, d.length} : Extents{sequences, d.length, d.features};
    case Kind::head: return {sequences, d.length, d.channels};
    case Kind::outputs: return {sequences, list_.head[0].outs};
    default: return {sequences, d.length, d.block_width(place.block)};
  }
}

Extents Model::layer_output(const LayerPlace& place, std::int64_t sequences) const {
  using Kind = LayerPlace::Kind;
  const ModelDescription& d = description_;
  switch (place.kind) {
    case Kind::embedding: return {sequences, d.length, d.width};
    case Kind::values: return {sequences, d.length, d.channels};
    case Kind::factor: return {sequences, d.length, d.links};
    case Kind::head: return {sequences, list_.head[0].outs};
    default: return {sequences, d.classes};
  }
}

void Model::expect_layer(const LayerPlace& place, const Tensor& in) const {
  using Kind = LayerPlace::Kind;
  const ModelDescription& d = description_;
  if (place.block < 0 || place.block >= d.blocks)
    fail(Status::invalid_argument, "there is no block ", place.block, "; blocks are 0 to ", d.blocks - 1);
  if (place.kind == Kind::factor && (place.factor < 0 || place.factor >= d.factors))
    fail(Status::invalid_argument, "there is no factor ", place.factor, "; the model has ", d.factors);
  const DataType type = place.kind == Kind::embedding ? d.input_type() : d.type();
  expect("in", in, *context(), type, layer_input(place, in.rank() > 0 ? in.shape[0] : 0));
}

void Model::layer_forward(const LayerPlace& place, const Tensor& in, const Tensor& out, const StepOptions& options) {
  const std::lock_guard lock(mutex_);
  expect_layer(place, in);
  const std::int64_t sequences = in.shape[0];
  expect_output("out", out, *context(), description_.type(), layer_output(place, sequences));
  if (overlap(in, out)) fail(Status::invalid_argument, "out shares memory with in");
  IndexChecks checks;
  const Tensor given = contiguous(in);
  if (given.type == DataType::int32) checks.add("in", given, description_.vocabulary);
  checks.queue(context());
  if (sequences == 0) return;
  with_type(description_.type(), [&](auto zero) {
    using T = decltype(zero);
    if (options.share.dropout) state_->begin<T>(options.adam, {});  // which number the step has
    LayerStep<T>(*this, place, options.share, sequences).forward(given, out);
  });
  checks.expect_none_at_wait();
}

void Model::layer_backward(const LayerPlace& place, const Tensor& in, const Tensor& dout, const Tensor* din,
                           bool accumulate_din, const StepOptions& options) {
  const std::lock_guard lock(mutex_);
  expect_layer(place, in);
  const std::int64_t sequences = in.shape[0];
  expect("dout", dout, *context(), description_.type(), layer_output(place, sequences));
  using Kind = LayerPlace::Kind;
  const bool networks = place.kind == Kind::values || place.kind == Kind::factor;
  if (din && in.type == DataType::int32)
    fail(Status::unsupported, "din: there is no gradient with respect to tokens; expected NULL");
  if (din) {
    expect_output("din", *din, *context(), in.type, in.shape);
    if (overlap(*din, in) || overlap(*din, dout)) fail(Status::invalid_argument, "din shares memory with in or dout");
  }
  if (accumulate_din && !(networks && din))
    fail(Status::invalid_argument,
         "accumulate is 1, but only gradients of a block's input are sums of several layers'");
  if (!gradients_) gradients_ = zeros();
  if (sequences == 0) return;
  const bool needs_place = !din && place.kind != Kind::embedding;
  const Tensor place_of_din = needs_place ? Tensor::create(context(), in.type, in.shape) : din ? *din : Tensor{};
  with_type(description_.type(), [&](auto zero) {
    using T = decltype(zero);
    if (options.share.dropout) state_->begin<T>(options.adam, {});
    LayerStep<T>(*this, place, options.share, sequences)
        .backward(contiguous(in), contiguous(dout), place_of_din, accumulate_din);
  });
}

StepResult Model::loss(const Tensor& outputs, const Tensor& labels, const Tensor* doutputs,
                       const StepOptions& options) {
  const std::lock_guard lock(mutex_);
  const std::int64_t sequences = outputs.rank() > 0 ? outputs.shape[0] : 0;
  expect("outputs", outputs, *context(), description_.type(), {sequences, description_.classes});
  expect("labels", labels, *context(), description_.label_type(), {sequences});
  if (doutputs) {
    expect_output("doutputs", *doutputs, *context(), description_.type(), outputs.shape);
    if (overlap(*doutputs, outputs) || overlap(*doutputs, labels))
      fail(Status::invalid_argument, "doutputs shares memory with outputs or labels");
  }
  const Tensor given = contiguous(outputs), answers = contiguous(labels);
  IndexChecks checks;
  if (description_.loss == Loss::cross_entropy) checks.add("labels", answers, description_.classes);
  checks.queue(context());
  const BatchCut cut{sequences, sequences};
  const Tensor parts = parts_of(cut);
  const Tensor gradient = doutputs ? *doutputs : Tensor::create(context(), given.type, given.shape);
  const double whole = double(options.share.whole > 0 ? options.share.whole : sequences);
  StepResult result;
  with_type(description_.type(), [&](auto zero) {
    using T = decltype(zero);
    T* const place = parts.data<T>();
    if (sequences > 0)
      Layers<T>(*context()->submit(), description_, list_, values_.data<T>())
          .loss(given.data<T>(), answers.data<void>(), sequences, 1 / whole,
                {place, place + sequences, place + 2 * sequences, gradient.data<T>()});
    const std::vector<T> found = fetch<T>(parts);
    checks.expect_none();
    context()->wait();  // for what may have gone wrong elsewhere
    result = result_of(description_, cut, found.data());
  });
  return result;
}

}  // namespace chord
