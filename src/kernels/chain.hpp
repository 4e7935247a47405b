// A whole chain of factors in one launch: a worker takes (sequence, panel of columns) tasks in turn and drives each
// through all steps while its values stay in the cache. Each worker owns a piece of scratch memory.
#pragma once

#include "panel.hpp"

namespace chord::CHORD_KERNELS {

/// Where an applied chain has its values: from v to z, or, the transpose being the way back, from v to z that way.
template <class T, class Steps>
struct ApplyPlaces : Steps {
  View<const T> v;
  View<T> z;
  View<T> tape;     ///< where given, it takes the outputs of all steps but the last
  View<T> scratch;  ///< by its factor stride: two to swap and, of two terms, the second's result
  int last = 0;

  CHORD_INLINE View<T> output(int term, int step) const {
    if (step == last) return term ? scratch.factor(2) : z;
    return tape ? tape.factor(step) : scratch.factor(step % 2);
  }
  CHORD_INLINE View<const T> value(int term, int step) const {
    return step < 0 ? v : View<const T>(output(term, step));
  }
  CHORD_INLINE View<T> adjoint_output(int, int step) const { return step < 0 ? z : scratch.factor((step + 1) % 2); }
  CHORD_INLINE View<const T> adjoint(int term, int step) const {
    return step == last ? v : View<const T>(adjoint_output(term, step));
  }
};

/// Where the gradient of a chain has its values: from g back to dv.
template <class T, class Steps>
struct GradientPlaces : Steps {
  View<const T> v, g;
  View<const T> tape;  ///< outputs of all steps but the last, or none: they are then behind the two to swap
  View<T> dv;
  View<T> scratch;  ///< by its factor stride: two to swap
  int last = 0;

  CHORD_INLINE View<T> output(int, int step) const { return scratch.factor(2 + step); }
  CHORD_INLINE View<const T> value(int term, int step) const {
    return step < 0 ? v : tape ? tape.factor(step) : View<const T>(output(term, step));
  }
  CHORD_INLINE View<T> adjoint_output(int, int step) const { return step < 0 ? dv : scratch.factor((step + 1) % 2); }
  CHORD_INLINE View<const T> adjoint(int term, int step) const {
    return step == last ? g : View<const T>(adjoint_output(term, step));
  }
};

/// The work of a chain's forward pass, and what it must read and write.
CHORD_INLINE Work chain_work(const Links& links, double factors, double weight_sequences, double sequences,
                             double columns, double value) {
  const double n = double(links.n), count = double(links.count);
  return {2 * factors * sequences * n * count * columns,
          value * n * (factors * weight_sequences * count + 2 * sequences * columns)};
}

/// z = chain(v) or, transposed, the transpose of that linear map, residuals included. Where a tape is given, the
/// outputs of all steps but the last are left there.
struct chain_apply : CpuOnly {
  template <class T>
  struct Arguments {
    View<const T> w, v;
    View<T> z, tape;
    T* scratch;  ///< per worker scratch_panels(…) · n · panel values
    Links links;
    std::int64_t factors, sequences, columns, panel, workers;
    std::int32_t form, residual, transposed;
  };

  /// Two to swap and, of two terms, the second's result.
  CHORD_INLINE static std::int64_t scratch_panels(const Walk& walk) { return walk.terms() == 2 ? 3 : 2; }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.workers)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    const Walk walk{int(a.factors), a.form, false};
    return chain_work(a.links, double(walk.terms() * walk.steps()), double(a.w.sequence_stride ? a.sequences : 1),
                      double(a.sequences), double(a.columns), sizeof(T));
  }

  template <class T, class Shape>
  static void run(std::size_t worker, std::size_t, std::size_t, const Arguments<T>& a) {
    const Walk walk{int(a.factors), a.form, a.residual != 0};
    const std::size_t n = a.links.n, panels = divide_up(a.columns, a.panel);
    T* mine = a.scratch + worker * scratch_panels(walk) * n * a.panel;
    const Range tasks = share_of(worker, a.workers, a.sequences * panels);
    for (std::size_t task = tasks.first; task < tasks.last; ++task) {
      const std::size_t sequence = task / panels;
      const Range columns = piece_of(task % panels, a.panel, a.columns);
      ApplyPlaces<T, PanelSteps<T>> steps{};
      steps.links = a.links;
      steps.w = a.w.sequence(sequence);
      steps.width = columns.last - columns.first;
      steps.v = a.v.sequence(sequence).columns(columns.first);
      steps.z = a.z.sequence(sequence).columns(columns.first);
      steps.tape = a.tape.sequence(sequence).columns(columns.first);
      steps.scratch = {mine, std::int64_t(n) * a.panel, 0, a.panel};
      steps.last = walk.steps() - 1;
      if (a.transposed)
        walk_back(walk, Wanted{false, true, false}, steps);
      else
        walk_forward(walk, walk.steps(), steps);
      if (walk.terms() == 2) scaled_sum<T>(n, steps.width, T(0.5), steps.z, steps.scratch.factor(2));
    }
  }
};

/// The gradient of ⟨g, chain(v)⟩ with respect to every factor and, where dv is given, to v.
/// With weights per sequence a worker owns whole sequences and writes dw directly; with `shared` weights it owns
/// (sequence, panel) tasks and adds to a partial sum of its own, dw + worker·dw_worker, which starts with its first.
struct chain_gradient : CpuOnly {
  template <class T>
  struct Arguments {
    View<const T> w, v, g;
    View<const T> tape;  ///< as left by chain_apply, or none: then the outputs are computed again, a panel at a time
    View<T> dw, dv;
    T* scratch;  ///< per worker scratch_panels(…) · n · panel values
    Links links;
    std::int64_t factors, sequences, columns, panel, workers, dw_worker;
    std::int32_t residual, accumulate_dw, accumulate_dv, shared;
  };

  /// Two to swap, then the outputs where there is no tape.
  CHORD_INLINE static std::int64_t scratch_panels(std::int64_t factors, bool taped) { return taped ? 2 : factors + 1; }

  template <class T, class Shape>
  static Grid grid(const Arguments<T>& a) {
    return {std::size_t(a.workers)};
  }

  template <class T>
  static Work work(const Arguments<T>& a) {
    Work work = chain_work(a.links, double(a.factors), double(a.shared ? 1 : a.sequences), double(a.sequences),
                           double(a.columns), sizeof(T));
    const double values = double(a.sequences * a.links.n * a.columns) * sizeof(T);
    work.flop *= a.tape ? 2 : 3;
    work.bytes = 2 * work.bytes + (a.tape ? double(a.factors - 1) * values : 0);
    return work;
  }

  template <class T, class Shape>
  static void run(std::size_t worker, std::size_t, std::size_t, const Arguments<T>& a) {
    const Walk walk{int(a.factors), form_product, a.residual != 0};
    const std::size_t n = a.links.n, panels = divide_up(a.columns, a.panel);
    T* mine = a.scratch + worker * scratch_panels(a.factors, bool(a.tape)) * n * a.panel;
    const Range tasks = share_of(worker, a.workers, a.shared ? a.sequences * panels : a.sequences);
    for (std::size_t task = tasks.first; task < tasks.last; ++task) {
      const std::size_t sequence = a.shared ? task / panels : task;
      const Range own = a.shared ? Range{task % panels, task % panels + 1} : Range{0, panels};
      for (std::size_t panel = own.first; panel < own.last; ++panel) {
        const Range columns = piece_of(panel, a.panel, a.columns);
        GradientPlaces<T, PanelSteps<T>> steps{};
        steps.links = a.links;
        steps.w = a.w.sequence(sequence);
        steps.dw = a.dw.sequence(sequence);
        steps.dw.data += worker * a.dw_worker;
        steps.accumulate_dw = a.shared ? task != tasks.first : a.accumulate_dw || panel > 0;
        steps.width = columns.last - columns.first;
        steps.v = a.v.sequence(sequence).columns(columns.first);
        steps.g = a.g.sequence(sequence).columns(columns.first);
        steps.tape = a.tape.sequence(sequence).columns(columns.first);
        steps.dv = a.dv.sequence(sequence).columns(columns.first);
        steps.scratch = {mine, std::int64_t(n) * a.panel, 0, a.panel};
        steps.last = walk.steps() - 1;
        if (!a.tape) walk_forward(walk, walk.steps() - 1, steps);
        walk_back(walk, Wanted{true, bool(a.dv), a.accumulate_dv != 0}, steps);
      }
    }
  }
};

}  // namespace chord::CHORD_KERNELS
