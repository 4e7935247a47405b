#include "operations/chain.hpp"

#include <algorithm>

#include "common/size.hpp"
#include "device/launch.hpp"
#include "operations/block_shape.hpp"
#include "operations/copy.hpp"
#include "operations/product.hpp"

namespace chord {
namespace {

/// One matrix batch per factor.
template <class T>
struct Stack {
  T* data = nullptr;
  std::int64_t factor = 0, sequence = 0, row = 0;

  Rows<T> at(std::int64_t m) const { return {data + m * factor, sequence, row}; }
  operator Stack<const T>() const { return {data, factor, sequence, row}; }
};

template <class T>
Stack<T> stack_of(const Tensor& tensor, const Matrices& shape) {
  return {tensor.data<std::remove_const_t<T>>(), tensor.strides[0], shape.sequence_stride, shape.row_stride};
}

/// Everything a chain's launches need to know, read from tensors once.
template <class T>
struct Problem {
  const Pattern& pattern;
  Context& context;
  Stack<const T> w;
  bool shared_weights, residual;
  std::int64_t factors, sequences, columns;
  Rows<const T> v;

  std::int64_t n() const { return pattern.n(); }
  std::int64_t values() const { return checked_multiply(checked_multiply(sequences, n()), columns); }
};

/// How a whole chain is spread over a CPU's cores: workers that take panels of columns in turn.
struct Plan {
  std::int64_t panel = 0, workers = 0;
  bool fused() const { return workers > 0; }
};

// A worker swaps between two panels, which should stay in the cache it shares with the other cores.
constexpr std::int64_t panel_bytes = 4 << 20;

/// The widest panel that fits; none where only one narrower than the products' own blocks would, which costs more than
/// passing the values through memory once per factor.
template <class T>
std::int64_t panel_columns(std::int64_t n, std::int64_t columns) {
  constexpr std::int64_t wide = WideShape<T>::columns, medium = MediumShape<T>::columns;
  const auto fits = [&](std::int64_t panel) { return n * panel * std::int64_t(sizeof(T)) <= panel_bytes; };
  if (columns >= wide && fits(wide)) return wide;
  if (columns >= medium) return fits(medium) ? medium : 0;
  return columns > 0 && fits(columns) ? columns : 0;
}

/// Splits the columns into whole panels and the rest, which is a narrower panel, and runs action(shape, part, panel).
template <class T, class Action>
void for_panel_parts(std::int64_t columns, std::int64_t panel, Action action) {
  const ColumnPart whole{0, columns / panel * panel}, rest{whole.count, columns % panel};
  if (panel == WideShape<T>::columns)
    action(WideShape<T>(), whole, panel);
  else if (panel == MediumShape<T>::columns)
    action(MediumShape<T>(), whole, panel);
  else
    action(NarrowShape<T>(), whole, panel);
  if (rest.count > 0) action(NarrowShape<T>(), rest, rest.count);
}

// More workers than cores, so that a core that comes late takes fewer tasks.
template <class T>
Plan plan(const DeviceDescription& device, std::int64_t n, std::int64_t factors, std::int64_t sequences,
          std::int64_t columns, bool whole_sequences) {
  if (!device.cpu_like() || factors < 2) return {};
  const std::int64_t panel = panel_columns<T>(n, columns);
  if (panel == 0) return {};
  const std::int64_t tasks = sequences * (whole_sequences ? 1 : divide_up(columns, panel));
  if (tasks < device.units) return {};
  return {panel, std::min<std::int64_t>(tasks, device.units * 4)};
}

template <class T>
Plan plan(const Problem<T>& p, bool whole_sequences) {
  return plan<T>(p.context.device(), p.n(), p.factors, p.sequences, p.columns, whole_sequences);
}

template <class T>
void apply_fused(const Problem<T>& p, bool transposed, Rows<T> z, Stack<T> tape, Plan plan) {
  const Scratch scratch(p.context, checked_multiply(plan.workers * 2 * plan.panel, p.n() * sizeof(T)));
  auto queue = p.context.submit();
  for_panel_parts<T>(p.columns, plan.panel, [&](auto shape, ColumnPart part, std::int64_t panel) {
    using Shape = decltype(shape);
    const auto run = [&](auto tag) {
      launch<decltype(tag)::kernel>(
          *queue, Grid{std::size_t(plan.workers)}, p.w.data, p.w.factor, p.w.sequence, p.w.row, p.v.data + part.first,
          p.v.sequence, p.v.row, z.data + part.first, z.sequence, z.row, tape.data ? tape.data + part.first : nullptr,
          tape.factor, tape.sequence, tape.row, scratch.as<T>(), p.pattern.device_offsets(), p.n(), p.pattern.links(),
          p.factors, part.count, panel, p.residual, p.sequences, plan.workers);
    };
    if (transposed)
      run(KernelTag<&kernels::chain_apply<T, Shape::width, Shape::registers, Shape::rows, true>>());
    else
      run(KernelTag<&kernels::chain_apply<T, Shape::width, Shape::registers, Shape::rows, false>>());
  });
}

/// Contiguous batches of values in scratch memory, one after the other.
template <class T>
Stack<T> stack_in(const Scratch& scratch, const Problem<T>& p) {
  return {scratch.as<T>(), p.values(), p.n() * p.columns, p.columns};
}

/// sum (+)= values
template <class T>
void launch_add(Queue& queue, const Problem<T>& p, Rows<const T> values, Rows<T> sum, bool accumulate) {
  launch<&kernels::add_rows<T>>(queue, Grid{std::size_t(p.sequences), std::size_t(p.n())}, values.data, values.sequence,
                                values.row, sum.data, sum.sequence, sum.row, p.columns, accumulate);
}

/// The first `count` factors, one launch each: into `stored`, one batch per factor, except that the last factor of
/// the chain writes to z.
template <class T>
void launch_factors(Queue& queue, const Problem<T>& p, std::int64_t count, Stack<T> stored, bool swap, Rows<T> z) {
  Rows<const T> in = p.v;
  for (std::int64_t m = 0; m < count; ++m) {
    const Rows<T> out = m + 1 == p.factors ? z : stored.at(swap ? m % 2 : m);
    launch_product<T>(queue, false, p.pattern, p.sequences, p.columns, p.w.at(m), in, out,
                      p.residual ? p.v : Rows<const T>{});
    in = out;
  }
}

template <class T>
void apply_stepwise(const Problem<T>& p, Rows<T> z, Stack<T> tape) {
  const Scratch scratch(p.context, tape.data ? 0 : checked_multiply(2 * sizeof(T), p.values()));
  launch_factors(*p.context.submit(), p, p.factors, tape.data ? tape : stack_in(scratch, p), !tape.data, z);
}

/// One step of going back: out = W⁽ᵐ⁾ᵀ in. With residuals every intermediate value also counts for the first one; the
/// sum grows in `sum`, which the last step (m = 0) completes.
template <class T>
Rows<const T> launch_back(Queue& queue, const Problem<T>& p, std::int64_t m, Rows<const T> in, Stack<T> swap,
                          Rows<T> sum, bool accumulate) {
  const bool last = m == 0;
  if (p.residual && sum.data) launch_add(queue, p, in, sum, accumulate || m + 1 < p.factors);
  const Rows<T> out = last ? sum : swap.at(m % 2);
  launch_product<T>(queue, true, p.pattern, p.sequences, p.columns, p.w.at(m), in, out,
                    last && (p.residual || accumulate) ? Rows<const T>(sum) : Rows<const T>{});
  return out;
}

template <class T>
void transpose_stepwise(const Problem<T>& p, Rows<T> z) {
  const Scratch scratch(p.context, checked_multiply(2 * sizeof(T), p.values()));
  auto queue = p.context.submit();
  Rows<const T> in = p.v;
  for (std::int64_t m = p.factors - 1; m >= 0; --m) in = launch_back(*queue, p, m, in, stack_in(scratch, p), z, false);
}

template <class T>
struct Gradients {
  Rows<const T> g;
  Stack<T> dw;
  Rows<T> dv;  // data is null where it is not wanted
  bool accumulate;
};

template <class T>
void gradient_stepwise(const Problem<T>& p, Stack<const T> tape, const Gradients<T>& out) {
  const Scratch swap(p.context, checked_multiply(2 * sizeof(T), p.values()));
  const std::int64_t inner = tape.data ? 0 : p.factors - 1;
  const Scratch again(p.context, checked_multiply(inner * std::int64_t(sizeof(T)), p.values()));
  auto queue = p.context.submit();
  if (!tape.data) {
    launch_factors(*queue, p, inner, stack_in(again, p), false, Rows<T>{});
    tape = stack_in(again, p);
  }
  Rows<const T> adjoint = out.g;
  for (std::int64_t m = p.factors - 1; m >= 0; --m) {
    launch_product_weights<T>(*queue, p.pattern, p.shared_weights ? 1 : p.sequences, p.shared_weights ? p.sequences : 1,
                              p.columns, adjoint, m ? tape.at(m - 1) : p.v, out.dw.at(m), out.accumulate);
    if (m > 0 || out.dv.data) adjoint = launch_back(*queue, p, m, adjoint, stack_in(swap, p), out.dv, out.accumulate);
  }
}

template <class T>
void gradient_fused(const Problem<T>& p, Stack<const T> tape, const Gradients<T>& out, Plan plan) {
  const std::int64_t weights = checked_multiply(p.factors * p.pattern.links(), p.n());
  const std::int64_t panels = tape.data ? 2 : p.factors + 1;
  const Scratch scratch(p.context, checked_multiply(plan.workers * panels * plan.panel, p.n() * sizeof(T)));
  // Shared weights: each worker sums its own tasks, then the workers' sums are added in order.
  const Scratch partial(p.context, p.shared_weights ? checked_multiply(plan.workers * sizeof(T), weights) : 0);
  const Stack<T> dw =
      p.shared_weights ? Stack<T>{partial.as<T>(), p.n() * p.pattern.links(), 0, p.pattern.links()} : out.dw;
  auto queue = p.context.submit();
  for_panel_parts<T>(p.columns, plan.panel, [&](auto shape, ColumnPart part, std::int64_t panel) {
    using Shape = decltype(shape);
    const bool accumulate = out.accumulate || part.first > 0;
    // With shared weights every worker must have a task, or its sum would be undefined.
    const std::int64_t tasks = p.sequences * (p.shared_weights ? divide_up(part.count, panel) : 1);
    const std::int64_t workers = std::min(plan.workers, tasks);
    launch<&kernels::chain_gradient<T, Shape::width, Shape::registers, Shape::rows>>(
        *queue, Grid{std::size_t(workers)}, p.w.data, p.w.factor, p.w.sequence, p.w.row, p.v.data + part.first,
        p.v.sequence, p.v.row, out.g.data + part.first, out.g.sequence, out.g.row,
        tape.data ? tape.data + part.first : nullptr, tape.factor, tape.sequence, tape.row, dw.data,
        p.shared_weights ? weights : 0, dw.factor, dw.sequence, dw.row,
        out.dv.data ? out.dv.data + part.first : nullptr, out.dv.sequence, out.dv.row, scratch.as<T>(),
        p.pattern.device_offsets(), p.n(), p.pattern.links(), p.factors, part.count, panel, p.residual, accumulate,
        out.accumulate, p.shared_weights, p.sequences, workers);
    if (p.shared_weights)
      launch<&kernels::sum_partials<T>>(*queue, Grid{std::size_t(p.factors), std::size_t(p.n())}, partial.as<T>(),
                                        workers, weights, p.n(), out.dw.data, out.dw.factor, out.dw.row,
                                        p.pattern.links(), accumulate);
  });
}

template <class T>
Problem<T> problem_of(const Chain& chain, const Tensor& v, const Matrices& vs, bool residual) {
  const Tensor& weights = chain.weights();
  return {chain.pattern(),
          *chain.pattern().context(),
          stack_of<const T>(weights, matrices("weights", weights, 1)),
          weights.rank() == 3,
          residual,
          chain.factors(),
          vs.sequences,
          vs.columns,
          rows_of<const T>(v, vs)};
}

/// v's shape against the chain's; returns it.
Matrices expect_values(const Chain& chain, const char* name, const Tensor& v) {
  const Matrices shape = matrices(name, v);
  const bool shared = chain.weights().rank() == 3;
  expect_matrices(name, shape, shared ? shape.sequences : chain.weights().shape[1], chain.pattern().n(), shape.columns);
  return shape;
}

/// [factors − 1, …] of v's shape.
Matrices expect_tape(const Chain& chain, const Tensor& tape, const Matrices& v) {
  const Matrices shape = matrices("tape", tape, 1);
  expect_matrices("each entry of tape", shape, v.sequences, v.rows, v.columns);
  if (tape.shape[0] != std::max<std::int64_t>(chain.factors() - 1, 0))
    fail(Status::invalid_shape, "tape has ", tape.shape[0], " entries; expected one per factor but the last, ",
         chain.factors() - 1);
  return shape;
}

template <class T>
void run_apply(const Chain& chain, const Tensor& v, const Matrices& vs, const Tensor& z, const Matrices& zs,
               Stack<T> tape, bool transposed, bool residual) {
  const Problem<T> problem = problem_of<T>(chain, v, vs, residual);
  const Rows<T> out = rows_of<T>(z, zs);
  if (const Plan fused = plan(problem, false); fused.fused())
    apply_fused(problem, transposed, out, tape, fused);
  else if (transposed)
    transpose_stepwise(problem, out);
  else
    apply_stepwise(problem, out, tape);
}

void apply_checked(const Chain& chain, const Tensor& v, const Tensor& z, const Tensor* tape, bool transposed) {
  const Tensor& weights = chain.weights();
  const DataType type =
      common_type(chain.pattern(), {{"weights", &weights}, {"v", &v}, {"z", &z}, {"tape", tape ? tape : &z}});
  const Matrices vs = expect_values(chain, "v", v), zs = matrices("z", z);
  expect_matrices("z", zs, vs.sequences, vs.rows, vs.columns);
  expect_apart("z", z, "v", v);
  expect_apart("z", z, "weights", weights);
  Matrices ts{};
  if (tape) {
    ts = expect_tape(chain, *tape, vs);
    for (const auto& [name, other] : {std::pair{"v", &v}, {"z", &z}, {"weights", &weights}})
      expect_apart("tape", *tape, name, *other);
  }
  if (chain.factors() == 0) return copy(v, z);
  if (z.elements() == 0) return;
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    run_apply<T>(chain, v, vs, z, zs, tape ? stack_of<T>(*tape, ts) : Stack<T>{}, transposed, chain.residual());
  });
}

// Unit vectors are made for this many rows at a time.
constexpr std::int64_t unit_block = 256;

/// The chain or its transpose, without residuals, of `count` unit vectors at a time; consume(first, result) gets
/// [batch, N, count] tensors.
template <class Consume>
void apply_to_units(const Chain& chain, DataType type, std::int64_t total, const Tensor* indices, bool transposed,
                    Consume consume) {
  const auto& context = chain.pattern().context();
  const std::int64_t n = chain.pattern().n(), batch = chain.weights().rank() == 4 ? chain.weights().shape[1] : 1;
  const std::int64_t block = std::min(total, unit_block);
  const Tensor units = Tensor::create(context, type, {n, block}),
               result = Tensor::create(context, type, {batch, n, block});
  for (std::int64_t first = 0; first < total; first += block) {
    const std::int64_t count = std::min(block, total - first);
    const Tensor v = units.view({batch, n, count}, {0, block, 1}, 0),
                 z = result.view({batch, n, count}, {n * block, block, 1}, 0);
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      launch<&kernels::unit_columns<T>>(*context->submit(), Grid{1, std::size_t(n)}, v.data<T>(), block, count,
                                        indices ? indices->data<std::int64_t>() + first : nullptr, first);
      if (chain.factors() == 0)
        copy(v, z);
      else
        run_apply<T>(chain, v, matrices("v", v), z, matrices("z", z), {}, transposed, false);
    });
    consume(first, z);
  }
}

}  // namespace

Chain::Chain(std::shared_ptr<const Pattern> pattern, Tensor weights, bool residual)
    : pattern_(std::move(pattern)), weights_(std::move(weights)), residual_(residual) {
  common_type(*pattern_, {{"weights", &weights_}});
  const Matrices shape = matrices("weights", weights_, 1);
  expect_matrices("each factor of weights", shape, shape.sequences, pattern_->n(), pattern_->links());
  checked_int32(factors(), "the number of factors");
}

void Chain::apply(const Tensor& v, const Tensor& z, const Tensor* tape) const {
  apply_checked(*this, v, z, tape, false);
}

void Chain::apply_transposed(const Tensor& v, const Tensor& z) const { apply_checked(*this, v, z, nullptr, true); }

void Chain::rows(const std::vector<std::int64_t>& indices, const Tensor& out) const {
  const DataType type = common_type(*pattern_, {{"weights", &weights_}, {"out", &out}});
  const std::int64_t n = pattern_->n(), count = std::int64_t(indices.size());
  const Matrices shape = matrices("out", out);
  expect_matrices("out", shape, weights_.rank() == 4 ? weights_.shape[1] : 1, count, n);
  for (const std::int64_t index : indices)
    if (index < 0 || index >= n) fail(Status::invalid_argument, "there is no row ", index, "; rows are 0 to ", n - 1);
  expect_apart("out", out, "weights", weights_);
  if (out.elements() == 0) return;
  const Tensor wanted = Tensor::create(pattern_->context(), DataType::int64, {count});
  copy_from_host(indices.data(), wanted);
  // Row i of a product is its transpose applied to the unit vector of i.
  apply_to_units(*this, type, count, &wanted, true, [&](std::int64_t first, const Tensor& z) {
    const std::int64_t rows = z.shape[2];
    const Tensor target =
        out.view({shape.sequences, rows, n}, {shape.sequence_stride, shape.row_stride, 1}, first * shape.row_stride);
    copy(z.view({shape.sequences, rows, n}, {z.strides[0], 1, z.strides[1]}, 0), target);
  });
}

void Chain::dense(const Tensor& out) const {
  const DataType type = common_type(*pattern_, {{"weights", &weights_}, {"out", &out}});
  const std::int64_t n = pattern_->n();
  const Matrices shape = matrices("out", out);
  expect_matrices("out", shape, weights_.rank() == 4 ? weights_.shape[1] : 1, n, n);
  expect_apart("out", out, "weights", weights_);
  if (out.elements() == 0) return;
  apply_to_units(*this, type, n, nullptr, false, [&](std::int64_t first, const Tensor& z) {
    copy(z, out.view(z.shape, {shape.sequence_stride, shape.row_stride, 1}, first));
  });
}

void Chain::gradient(const Tensor& v, const Tensor* tape, const Tensor& g, const Tensor& dw, const Tensor* dv,
                     bool accumulate) const {
  const DataType type = common_type(
      *pattern_,
      {{"weights", &weights_}, {"v", &v}, {"g", &g}, {"dw", &dw}, {"tape", tape ? tape : &v}, {"dv", dv ? dv : &v}});
  const Matrices vs = expect_values(*this, "v", v), gs = matrices("g", g), ws = matrices("dw", dw, 1);
  expect_matrices("g", gs, vs.sequences, vs.rows, vs.columns);
  if (!(dw.shape == weights_.shape))
    fail(Status::invalid_shape, "dw has shape ", describe(dw.shape), "; expected the weights' ",
         describe(weights_.shape));
  Matrices ts{}, ds{};
  if (tape) ts = expect_tape(*this, *tape, vs);
  if (dv) {
    ds = matrices("dv", *dv);
    expect_matrices("dv", ds, vs.sequences, vs.rows, vs.columns);
  }
  for (const auto& [name, output] : {std::pair{"dw", &dw}, {"dv", dv}}) {
    if (!output) continue;
    for (const auto& [input_name, input] : {std::pair{"v", &v}, {"g", &g}, {"weights", &weights_}, {"tape", tape}})
      if (input) expect_apart(name, *output, input_name, *input);
  }
  if (dv) expect_apart("dv", *dv, "dw", dw);
  if (v.elements() == 0) {  // sums over nothing
    if (!accumulate) fill(dw, 0);
    return;
  }
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    const Problem<T> problem = problem_of<T>(*this, v, vs, residual_);
    const Gradients<T> out{rows_of<const T>(g, gs), stack_of<T>(dw, ws), dv ? rows_of<T>(*dv, ds) : Rows<T>{},
                           accumulate};
    if (factors() == 0) {
      if (dv) launch_add(*problem.context.submit(), problem, out.g, out.dv, accumulate);
      return;
    }
    const Stack<const T> stored = tape ? stack_of<const T>(*tape, ts) : Stack<const T>{};
    if (const Plan fused = plan(problem, !problem.shared_weights); fused.fused())
      gradient_fused(problem, stored, out, fused);
    else
      gradient_stepwise(problem, stored, out);
  });
}

std::int64_t chain_scratch_bytes(const DeviceDescription& device, DataType type, std::int64_t n, std::int64_t factors,
                                 std::int64_t sequences, std::int64_t columns) {
  std::int64_t most = 0;
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    for (const bool whole_sequences : {false, true}) {
      const Plan fused = plan<T>(device, n, factors, sequences, columns, whole_sequences);
      // Two panels for each worker, or two batches of values.
      const std::int64_t half = fused.fused() ? fused.workers * fused.panel : checked_multiply(sequences, columns);
      most = std::max(most, checked_multiply(2 * half, n * std::int64_t(sizeof(T))));
    }
  });
  return most;
}

}  // namespace chord
