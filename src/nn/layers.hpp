// The layers of a model as launches on bare pointers. Sums over rows are made in two steps, by workers and then over
// the workers in order, so that they are always the same.
#pragma once

#include "device/queue.hpp"
#include "nn/parameters.hpp"

namespace chord {

/// Networks of one shape, whose parameters follow each other.
template <class T>
struct Mlps {
  MlpPlace place;  ///< of the first
  std::int64_t count = 1;
  const T* parameters = nullptr;  ///< the buffer of all
  /// What their launches need, in elements: tiles, and sums of workers.
  std::int64_t scratch_size(const DeviceDescription& device, std::int64_t rows) const;
  std::int64_t partial_size(const DeviceDescription& device, std::int64_t rows) const;
};

/// out[network, row, :] = network(in[row, :])
template <class T>
void mlp_forward(Queue& queue, const Mlps<T>& mlps, const T* in, std::int64_t rows, T* out, T* scratch);

/// The gradients of ⟨dout, out⟩: (+)= into din and into `gradients`, the buffer of all parameters' gradients.
template <class T>
void mlp_backward(Queue& queue, const Mlps<T>& mlps, const T* in, std::int64_t rows, const T* dout, T* din,
                  bool accumulate_din, T* gradients, bool accumulate, T* partial, T* scratch);

/// The first layer: of tokens or reals, with positions or without.
template <class T>
struct Embedding {
  const ModelDescription& description;
  const ParameterList& list;
  /// Sums of workers, in elements.
  std::int64_t partial_size(std::int64_t rows) const;
};

/// `inputs`: int32 tokens or reals of T.
template <class T>
void embed(Queue& queue, const Embedding<T>& embedding, const T* parameters, const void* inputs, std::int64_t sequences,
           T* out);
template <class T>
void embed_backward(Queue& queue, const Embedding<T>& embedding, const void* inputs, std::int64_t sequences,
                    const T* dout, T* gradients, bool accumulate, T* partial);

/// What decides about a value's dropout beside its place.
struct DropoutKey {
  std::uint64_t seed = 0;
  std::int64_t step = 0;
};

/// In place; `place` is that of the first value in the whole batch. Forward and backward are the same.
template <class T>
void dropout(Queue& queue, double share, DropoutKey key, std::int32_t layer, T* values, std::int64_t count,
             std::int64_t place);

/// A batch of rows with a stride.
template <class T>
struct DenseRows {
  T* data = nullptr;
  std::int64_t stride = 0;
};

template <class T>
void dense_forward(Queue& queue, const LinearPlace& place, const T* parameters, DenseRows<const T> in,
                   std::int64_t rows, T* out);
template <class T>
void dense_backward(Queue& queue, const LinearPlace& place, const T* parameters, DenseRows<const T> in,
                    std::int64_t rows, const T* dout, DenseRows<T> din, T* gradients, bool accumulate);

template <class T>
void gelu_forward(Queue& queue, const T* in, std::int64_t count, T* out);
template <class T>
void gelu_backward(Queue& queue, const T* in, std::int64_t count, T* gradient);

/// Per sequence: what its loss is made of (loss_of) and whether it is right; and the loss's gradient times `scale`.
template <class T>
struct LossRows {
  T *sums, *gaps, *correct, *gradient;
};
template <class T>
void loss_rows(Queue& queue, const ModelDescription& description, const T* outputs, const void* labels,
               std::int64_t rows, double scale, LossRows<T> out);
/// A sequence's loss from its sum and gap.
double loss_of(const ModelDescription& description, double sum, double gap);

struct AdamSettings {
  double learning_rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
};
/// `step` counts from 1.
template <class T>
void adam(Queue& queue, const AdamSettings& settings, std::int64_t step, T* parameters, const T* gradients, T* first,
          T* second, std::int64_t count);

}  // namespace chord
