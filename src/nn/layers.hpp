// The layers of a model as launches on bare pointers. Sums over rows are made in two steps, by workers and then over
// the workers in order, so that they are always the same.
#pragma once

#include "device/queue.hpp"
#include "nn/parameters.hpp"

namespace chord {

using kernels::View;

/// Networks of one shape, whose parameters follow each other.
struct Mlps {
  MlpPlace place;  ///< of the first
  std::int64_t count = 1;
};

/// Which dropout a random number is for; that behind the g of block b is b further on.
inline constexpr std::int32_t dropout_behind_embedding = 0, dropout_before_head = 1, dropout_behind_g = 2;

/// Which random numbers a dropout takes.
struct DropoutKey {
  std::uint64_t seed = 0;
  const std::int64_t* step = nullptr;  ///< on the device
};

/// Per sequence, what its loss is made of and whether it is right; and the loss's gradient.
template <class T>
struct LossRows {
  T *sums, *gaps;  ///< the loss is log(sum) + gap; where there is no logarithm in it, gap alone
  T *correct, *gradient;
};

/// All layers of a model on a queue.
template <class T>
class Layers {
 public:
  /// `gradients`: the buffer of all parameters' gradients, where there is a way back; `accumulate`: add to what is
  /// there.
  Layers(Queue& queue, const ModelDescription& description, const ParameterList& list, const T* parameters,
         T* gradients = nullptr, bool accumulate = false)
      : queue_(queue),
        description_(description),
        list_(list),
        parameters_(parameters),
        gradients_(gradients),
        accumulate_(accumulate) {}

  /// out[network, row, :] = network(in[row, :])
  void mlp_forward(const Mlps& mlps, const T* in, std::int64_t rows, T* out, T* scratch);

  /// What the gradients of networks need beside their inputs.
  struct MlpGradient {
    const T* dout;
    T* din;
    bool accumulate_din;
    T *partial, *scratch;
  };
  void mlp_backward(const Mlps& mlps, const T* in, std::int64_t rows, const MlpGradient& gradient);

  /// Elements that the networks' launches need for tiles, and for the sums of workers.
  static std::int64_t mlp_scratch(const DeviceDescription& device, const Mlps& mlps, std::int64_t rows);
  static std::int64_t mlp_partial(const DeviceDescription& device, const Mlps& mlps, std::int64_t rows);

  /// The first layer: of int32 tokens or of reals, with positions or without.
  void embed(const void* inputs, std::int64_t sequences, T* out);
  void embed_backward(const void* inputs, std::int64_t sequences, const T* dout, T* partial);
  static std::int64_t embed_partial(const DeviceDescription& device, const ModelDescription& description,
                                    std::int64_t rows);
  /// With respect to inputs that are reals.
  void embed_gradient_input(const T* dout, std::int64_t sequences, T* din);

  /// In place; `place` is that of the first value in the whole batch. Forward and backward are the same.
  void dropout(double share, DropoutKey key, std::int32_t layer, T* values, std::int64_t count, std::int64_t place);

  /// A layer of the head on rows of a stride. Long rows may be summed in pieces: `partial` has as many times the
  /// outputs.
  static std::int64_t dense_pieces(const DeviceDescription& device, std::int64_t ins);
  void dense_forward(const LinearPlace& place, View<const T> in, std::int64_t rows, T* out, T* partial);
  void dense_backward(const LinearPlace& place, View<const T> in, std::int64_t rows, const T* dout, View<T> din);
  void gelu_forward(const T* in, std::int64_t count, T* out);
  void gelu_backward(const T* in, std::int64_t count, T* gradient);

  /// The gradient is multiplied by `scale`.
  void loss(const T* outputs, const void* labels, std::int64_t rows, double scale, const LossRows<T>& out);

 private:
  /// apart: from one worker's numbers to the next one's, of which `size` are summed.
  void sum_workers(const T* partial, std::int64_t workers, std::int64_t apart, std::int64_t size, T* to,
                   bool accumulate);

  Queue& queue_;
  const ModelDescription& description_;
  const ParameterList& list_;
  const T* parameters_;
  T* gradients_;
  bool accumulate_;
};

}  // namespace chord
