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

  void product(int, int, kernels::Step step, View<const T> in, View<T> out, View<const T> add) {
    const kernels::ProductArguments<T> arguments{.w = w.factor(step.factor),
                                                 .v = in,
                                                 .z = out,
                                                 .add = add,
                                                 .links = links,
                                                 .sequences = sequences,
                                                 .columns = columns};
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

  void add(View<const T> from, View<T> to, bool accumulate) {
    launch<kernels::add_rows, T>(*queue, {.batch = {from, to, sequences, links.n, columns}, .accumulate = accumulate});
  }
};

}  // namespace chord
