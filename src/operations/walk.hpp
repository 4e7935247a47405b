// Steps of a walk with a launch for each, for devices with many threads and for what does not fit into a cache.
#pragma once

#include "device/launch.hpp"

namespace chord {

using kernels::View;

/// The part of an executor that computes (kernels/walk.hpp); where values lie is for those to say who derive from it.
template <class T>
struct LaunchSteps {
  Queue* queue = nullptr;
  kernels::Links links;
  std::int64_t sequences = 0, columns = 0;
  View<const T> w = {};         ///< the factors
  bool shared_weights = false;  ///< one w for all sequences
  View<T> dw = {};              ///< their gradients
  bool accumulate_dw = false;
  View<T> sum = {};  ///< GPUs: where the next product's input is to be added, which it does itself
  std::int32_t collect = kernels::collect_nothing;

  void product(int, int, kernels::Step step, View<const T> in, View<T> out, View<const T> add) {
    // A sum that begins where the result goes: what is there does not count yet.
    if (collect == kernels::collect_first && sum.data == out.data) add = {};
    const kernels::ProductArguments<T> arguments{.w = w.factor(step.factor),
                                                 .v = in,
                                                 .z = out,
                                                 .add = add,
                                                 .links = links,
                                                 .sequences = sequences,
                                                 .columns = columns,
                                                 .sum = sum,
                                                 .collect = collect};
    sum = {};
    collect = kernels::collect_nothing;
    if (step.transposed)
      launch<kernels::product_gradient_values, T>(*queue, arguments);
    else
      launch<kernels::product, T>(*queue, arguments);
  }

  // Of a transposed step: the two exchanged (kernels/panel.hpp says why).
  void gradient_weights(int, int, kernels::Step step, View<const T> adjoint, View<const T> input) {
    launch<kernels::product_gradient_weights, T>(*queue, {.dz = step.transposed ? input : adjoint,
                                                          .v = step.transposed ? adjoint : input,
                                                          .dw = dw.factor(step.factor),
                                                          .links = links,
                                                          .sequences = shared_weights ? 1 : sequences,
                                                          .summed = shared_weights ? sequences : 1,
                                                          .columns = columns,
                                                          .accumulate = accumulate_dw});
  }

  /// Before the product that takes the same values, which adds them itself on a GPU.
  void add(View<const T> from, View<T> to, bool accumulate) {
    if (queue->device().cpu_like()) return add_now(from, to, accumulate);
    sum = to;
    collect = accumulate ? kernels::collect_more : kernels::collect_first;
  }

  void add_now(View<const T> from, View<T> to, bool accumulate) {
    launch<kernels::add_rows, T>(*queue, {.batch = {from, to, sequences, links.n, columns}, .accumulate = accumulate});
  }
};

}  // namespace chord
