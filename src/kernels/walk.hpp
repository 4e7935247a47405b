// The walk through the factors and back, written once.
//
// X̂ is made of stored factors, P being W⁽ᴹ⁾…W⁽¹⁾. A form says of which steps, in one or two terms:
//
//   form_product        X̂ = P            one term: W⁽¹⁾, …, W⁽ᴹ⁾
//   form_symmetric      X̂ = ½(P + Pᵀ)    two terms: that, and W⁽ᴹ⁾ᵀ, …, W⁽¹⁾ᵀ
//   form_semidefinite   X̂ = P Pᵀ         one term: W⁽ᴹ⁾ᵀ, …, W⁽¹⁾ᵀ, W⁽¹⁾, …, W⁽ᴹ⁾
//
// With residuals (of form_product alone) the first values are added again after every step.
//
// Who takes the steps is an executor, of two parts. One computes: on a panel of columns inside one kernel (panel.hpp),
// or with a launch for each step (operations/walk.hpp). The other knows where values lie (chain.hpp, fit.hpp), and is
// the same for both. Together they have
//
//   value(term, step), output(term, step)       what a step puts out, to read and to write; step −1 is the input
//   adjoint(term, step), adjoint_output(…)      the gradient with respect to that
//   product(term, step, Step, in, out, add)     out = W in, or Wᵀ in (+ add)
//   gradient_weights(term, step, Step, adjoint, input)   of that step's factor
//   add(from, to, accumulate)                   to (+)= from, which the next product is of
#pragma once

#include "view.hpp"

namespace chord::CHORD_KERNELS {

inline constexpr std::int32_t form_product = 0, form_symmetric = 1, form_semidefinite = 2;

struct Step {
  int factor;
  bool transposed;
};

struct Walk {
  int factors = 0;
  std::int32_t form = form_product;
  bool residual = false;

  CHORD_INLINE int terms() const { return form == form_symmetric ? 2 : 1; }
  CHORD_INLINE int steps() const { return form == form_semidefinite ? 2 * factors : factors; }
  CHORD_INLINE Step step(int term, int index) const {
    if (form == form_semidefinite ? index < factors : term == 1) return {factors - 1 - index, true};
    return {form == form_semidefinite ? index - factors : index, false};
  }
};

/// The first `steps` steps of every term.
template <class Executor>
CHORD_INLINE void walk_forward(const Walk& walk, int steps, Executor& run) {
  for (int term = 0; term < walk.terms(); ++term)
    for (int step = 0; step < steps; ++step) {
      using Input = decltype(run.value(term, -1));
      run.product(term, step, walk.step(term, step), run.value(term, step - 1), run.output(term, step),
                  walk.residual ? run.value(term, -1) : Input{});
    }
}

/// What the way back is to find. It begins at adjoint(term, last step), the gradient with respect to the result.
struct Wanted {
  bool weights = false;     ///< the factors' gradients
  bool input = false;       ///< the input's
  bool accumulate = false;  ///< add to what is there of the input's
};

/// From the last step to the first. With residuals every output also counts for the input; the sum grows in the input's
/// adjoint, which the last step completes.
template <class Executor>
CHORD_INLINE void walk_back(const Walk& walk, Wanted wanted, Executor& run) {
  const int last = walk.steps() - 1;
  for (int term = 0; term < walk.terms(); ++term)
    for (int index = last; index >= 0; --index) {
      const Step step = walk.step(term, index);
      const auto adjoint = run.adjoint(term, index);
      using Input = decltype(run.adjoint(term, index));
      if (wanted.weights) run.gradient_weights(term, index, step, adjoint, run.value(term, index - 1));
      if (index == 0 && !wanted.input) break;
      if (walk.residual && wanted.input)
        run.add(adjoint, run.adjoint_output(term, -1), wanted.accumulate || index < last);
      const auto out = run.adjoint_output(term, index - 1);
      const bool sum = index == 0 && (walk.residual || wanted.accumulate);
      run.product(term, index, Step{step.factor, !step.transposed}, adjoint, out, sum ? Input(out) : Input{});
    }
}

}  // namespace chord::CHORD_KERNELS
