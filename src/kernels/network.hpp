// The sizes of a network of two layers, and its parameters: they lie one behind the other, weight [hidden, ins],
// bias [hidden], weight [outs, hidden], bias [outs].
#pragma once

#include "linear_tile.hpp"

namespace chord::CHORD_KERNELS {

/// The sizes of a network, and where its parameters lie behind the first.
struct Network {
  std::int64_t ins = 0, hidden = 0, outs = 0;

  CHORD_INLINE std::int64_t bias() const { return hidden * ins; }
  CHORD_INLINE std::int64_t weight_out() const { return bias() + hidden; }
  CHORD_INLINE std::int64_t bias_out() const { return weight_out() + outs * hidden; }
  CHORD_INLINE std::int64_t size() const { return bias_out() + outs; }
};

/// W₁ and W₂ as they are, and turned over.
template <class T>
CHORD_INLINE Linear<T> first_layer(const Network& net, const T* p) {
  return {p, net.ins, 1, p + net.bias(), int(net.hidden), int(net.ins)};
}
template <class T>
CHORD_INLINE Linear<T> second_layer(const Network& net, const T* p) {
  return {p + net.weight_out(), net.hidden, 1, p + net.bias_out(), int(net.outs), int(net.hidden)};
}
template <class T>
CHORD_INLINE Linear<T> transposed(Linear<T> layer) {
  return {layer.a, layer.in_stride, layer.out_stride, nullptr, layer.ins, layer.outs};
}

/// Rows × networks of a pass, as work.
CHORD_INLINE double mlp_flop(const Network& net, double rows_and_networks) {
  return 2 * rows_and_networks * double(net.hidden) * double(net.ins + net.outs);
}

}  // namespace chord::CHORD_KERNELS
