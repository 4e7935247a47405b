// One pass of a model over some sequences: forward, and back.
#pragma once

#include <memory>

#include "nn/layers.hpp"
#include "nn/workspace.hpp"
#include "operations/pattern.hpp"

namespace chord {

/// What a pass works with, all of it in one context.
template <class T>
struct PassData {
  const ModelDescription& description;
  const ParameterList& list;
  std::shared_ptr<const Pattern> pattern;
  const T* parameters = nullptr;
  T* gradients = nullptr;  ///< for the backward pass

  const void* inputs = nullptr;           ///< int32 tokens [sequences, N] or reals [sequences, N, features]
  const void* labels = nullptr;           ///< int32 or reals [sequences]
  const std::int32_t* lengths = nullptr;  ///< [sequences]; null: all are N. What is behind the end of inputs is zero.
  std::int64_t sequences = 0;
  std::int64_t first_sequence = 0;  ///< its place in the batch
  bool with_dropout = false;
  DropoutKey dropout;
};

template <class T>
class Pass {
 public:
  Pass(const PassData<T>& data, std::shared_ptr<const Workspace> workspace);

  /// Up to the outputs, [sequences, classes].
  void forward();
  void copy_outputs(const Tensor& to) const;

  /// From outputs and labels to `parts` of the loss ([3, sequences]: sums, gaps, correct) and its gradient · scale.
  void loss(double scale, T* parts);

  /// In place of a loss's gradient.
  void take_output_gradient(const Tensor& from);

  /// From the loss's gradient to those of all parameters.
  void backward(bool accumulate);
  /// After that: with respect to inputs that are reals.
  void copy_input_gradient(const Tensor& to) const;

  /// out[sequence, r, :] = row indices[r] of the product that `block` makes; needs Memory::normal.
  void attention(std::int64_t block, const std::vector<std::int64_t>& indices, const Tensor& out);

 private:
  class FactorByFactor;

  T* at(std::int64_t offset) const { return memory_.template data<T>() + offset; }
  Tensor tensor(std::int64_t offset, const Extents& shape) const;
  Tensor values_tensor(std::int64_t offset) const;
  View<T> values_view(std::int64_t offset) const;
  Context& context() const { return *data_.pattern->context(); }
  std::int64_t rows() const { return data_.sequences * data_.description.length; }
  Layers<T> layers(Queue& queue, bool accumulate = false) const;
  Mlps f(std::int64_t block, std::int64_t factor, std::int64_t count) const;
  Mlps g(std::int64_t block) const;

  /// Where the way back leaves the gradient of the first block's input.
  std::int64_t embedded_gradient() const {
    return data_.description.blocks % 2 == 1 ? space_.input_gradient : space_.other_input_gradient;
  }

  void embed_inputs();
  void make_first_values(std::int64_t block);
  void make_factors(std::int64_t block);
  void clear_padding(T* x, std::int64_t factors, std::int64_t columns) const;
  void forward_block(std::int64_t block);
  void forward_factor_by_factor(std::int64_t block);
  void backward_head(bool accumulate);
  void backward_block(std::int64_t block, std::int64_t gradient, T* input_gradient, bool accumulate);
  void backward_factor_by_factor(std::int64_t block, std::int64_t gradient, T* input_gradient, bool accumulate);
  void drop(double share, std::int32_t layer, std::int64_t columns, T* values);
  View<T> pooled(std::int64_t values) const;

  PassData<T> data_;
  std::shared_ptr<const Workspace> workspace_;
  const Workspace& space_;
  Tensor memory_;
};

}  // namespace chord
