#include "operations/chain.hpp"

#include <algorithm>

#include "common/size.hpp"
#include "operations/copy.hpp"
#include "operations/shapes.hpp"
#include "operations/walk.hpp"

namespace chord {
namespace {

/// Everything a chain's launches need to know, read from tensors once.
template <class T>
struct Problem {
  Context& context;
  kernels::Walk walk;
  kernels::Links links;
  View<const T> w;
  bool shared_weights;
  std::int64_t sequences, columns;
  View<const T> v;

  /// Elements of a batch of values.
  std::int64_t values() const { return checked_multiply(checked_multiply(sequences, links.n), columns); }
  /// Batches of values in scratch memory, one after the other.
  View<T> batches_in(const Scratch& scratch) const { return {scratch.as<T>(), values(), links.n * columns, columns}; }
  LaunchSteps<T> steps(Queue& queue) const {
    return {.queue = &queue,
            .links = links,
            .sequences = sequences,
            .columns = columns,
            .w = w,
            .shared_weights = shared_weights};
  }
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
template <class T, class... Blocks>
std::int64_t panel_columns(std::int64_t n, std::int64_t columns, kernels::List<Blocks...>) {
  const auto fits = [&](std::int64_t panel) { return n * panel * std::int64_t(sizeof(T)) <= panel_bytes; };
  std::int64_t widths[] = {Blocks::columns...}, narrowest = 0;
  for (std::size_t i = 0; i + 1 < sizeof...(Blocks); ++i) {
    if (columns >= widths[i] && fits(widths[i])) return widths[i];
    narrowest = widths[i];
  }
  return columns > 0 && columns < narrowest && fits(columns) ? columns : 0;
}

// More workers than cores, so that a core that comes late takes fewer tasks. Where workers have sums of their own,
// which is with shared weights, there are the same for any number of cores, so that the bits are, too; and so is the
// choice between the two executors, which cut the sums over columns differently.
constexpr std::int64_t workers_per_core = 4, workers_with_sums = 16, fewest_gradient_tasks = 4;
// A worker's sum is as large as the weights: a panel of fewer columns costs less than to write and to add it.
constexpr std::int64_t narrowest_with_sums = 16;

template <class T>
std::int64_t panel_on(const DeviceDescription& device, std::int64_t n, std::int64_t steps, std::int64_t columns) {
  if (!device.cpu_like() || steps < 2) return 0;
  return panel_columns<T>(n, columns, typename kernels::product::cpu<T>::blocks());
}

template <class T>
Plan plan_apply(const DeviceDescription& device, std::int64_t n, std::int64_t steps, std::int64_t sequences,
                std::int64_t columns) {
  const std::int64_t panel = panel_on<T>(device, n, steps, columns);
  const std::int64_t tasks = panel ? sequences * std::int64_t(kernels::divide_up(columns, panel)) : 0;
  if (tasks < device.units) return {};
  return {panel, std::min(tasks, device.units * workers_per_core)};
}

template <class T>
Plan plan_gradient(const DeviceDescription& device, std::int64_t n, std::int64_t steps, std::int64_t sequences,
                   std::int64_t columns, bool shared_weights) {
  const std::int64_t panel = panel_on<T>(device, n, steps, columns);
  const std::int64_t panels = panel && shared_weights ? std::int64_t(kernels::divide_up(columns, panel)) : 1;
  const std::int64_t tasks = panel ? sequences * panels : 0;
  const bool dear_sums = shared_weights && panel < std::min(columns, narrowest_with_sums);
  if (tasks < fewest_gradient_tasks || dear_sums) return {};
  return {panel, std::min(tasks, shared_weights ? workers_with_sums : device.units * workers_per_core)};
}

template <class T>
void apply_fused(const Problem<T>& p, bool transposed, View<T> z, View<T> tape, Plan plan) {
  const std::int64_t panels = plan.workers * kernels::chain_apply::scratch_panels(p.walk);
  const Scratch scratch(p.context, checked_multiply(panels * plan.panel, p.links.n * sizeof(T)));
  launch<kernels::chain_apply, T>(*p.context.submit(), {.w = p.w,
                                                        .v = p.v,
                                                        .z = z,
                                                        .tape = tape,
                                                        .scratch = scratch.as<T>(),
                                                        .links = p.links,
                                                        .factors = p.walk.factors,
                                                        .sequences = p.sequences,
                                                        .columns = p.columns,
                                                        .panel = plan.panel,
                                                        .workers = plan.workers,
                                                        .form = p.walk.form,
                                                        .residual = p.walk.residual,
                                                        .transposed = transposed});
}

template <class T>
void apply_stepwise(const Problem<T>& p, bool transposed, View<T> z, View<T> tape) {
  const bool alone = tape && p.walk.terms() == 1;  // a tape has room for everything
  const std::int64_t batches = alone ? 0 : kernels::chain_apply::scratch_panels(p.walk);
  const Scratch scratch(p.context, checked_multiply(batches * std::int64_t(sizeof(T)), p.values()));
  auto queue = p.context.submit();
  kernels::ApplyPlaces<T, LaunchSteps<T>> steps{p.steps(*queue),   p.v, z, tape, p.batches_in(scratch),
                                                p.walk.steps() - 1};
  if (transposed)
    walk_back(p.walk, kernels::Wanted{.input = true}, steps);
  else
    walk_forward(p.walk, p.walk.steps(), steps);
  if (p.walk.terms() == 2)
    launch<kernels::average_rows, T>(
        *queue,
        {.from = steps.scratch.factor(2), .to = z, .sequences = p.sequences, .rows = p.links.n, .columns = p.columns});
}

/// Whether a work-group of a GPU takes all steps in local memory.
template <class T>
bool fits_locally(const DeviceDescription& device, const kernels::Links& links, std::int64_t steps) {
  return !device.cpu_like() && steps > 1 && kernels::chain_local::bytes_of<T>(links) <= device.shared_local_bytes();
}

template <class T>
void apply_locally(const Problem<T>& p, bool transposed, View<const T> v, View<T> z, View<T> tape) {
  launch<kernels::chain_local, T>(*p.context.submit(), {.w = p.w,
                                                        .v = v,
                                                        .z = z,
                                                        .tape = tape,
                                                        .links = p.links,
                                                        .factors = p.walk.factors,
                                                        .sequences = p.sequences,
                                                        .columns = p.columns,
                                                        .residual = p.walk.residual,
                                                        .transposed = transposed});
}

template <class T>
void apply(const Problem<T>& p, bool transposed, View<T> z, View<T> tape) {
  if (p.walk.form == kernels::form_product && fits_locally<T>(p.context.device(), p.links, p.walk.steps()))
    return apply_locally(p, transposed, p.v, z, tape);
  const Plan plan = plan_apply<T>(p.context.device(), p.links.n, p.walk.steps(), p.sequences, p.columns);
  if (plan.fused())
    apply_fused(p, transposed, z, tape, plan);
  else
    apply_stepwise(p, transposed, z, tape);
}

template <class T>
struct Gradients {
  View<const T> g;
  View<T> dw, dv;  ///< dv: may be none
  bool accumulate;
};

template <class T>
void gradient_stepwise(const Problem<T>& p, View<const T> tape, const Gradients<T>& out) {
  const std::int64_t batches = kernels::chain_gradient::scratch_panels(p.walk.factors, bool(tape));
  const Scratch scratch(p.context, checked_multiply(batches * std::int64_t(sizeof(T)), p.values()));
  auto queue = p.context.submit();
  kernels::GradientPlaces<T, LaunchSteps<T>> steps{p.steps(*queue),   p.v, out.g, tape, out.dv, p.batches_in(scratch),
                                                   p.walk.steps() - 1};
  steps.dw = out.dw;
  steps.accumulate_dw = out.accumulate;
  if (!tape) walk_forward(p.walk, p.walk.steps() - 1, steps);
  walk_back(p.walk, kernels::Wanted{.weights = true, .input = bool(out.dv), .accumulate = out.accumulate}, steps);
}

// GPUs keep the gradients of all steps' outputs where they take no more than this, so that those of all factors are one
// launch.
constexpr std::int64_t most_adjoint_bytes = std::int64_t(32) << 20;

std::int64_t adjoint_bytes(std::int64_t factors, std::int64_t values, std::size_t element) {
  return checked_multiply(checked_multiply(std::max<std::int64_t>(factors - 1, 0), values), std::int64_t(element));
}

template <class T>
bool in_two(const DeviceDescription& device, std::int64_t factors, std::int64_t values) {
  return !device.cpu_like() && adjoint_bytes(factors, values, sizeof(T)) <= most_adjoint_bytes;
}

/// The way back of a chain alone: where the gradients of all outputs stay.
template <class T>
struct AdjointPlaces : LaunchSteps<T> {
  View<const T> g;
  View<T> dv, adjoints;
  int last = 0;

  View<T> adjoint_output(int, int step) const { return step < 0 ? dv : adjoints.factor(step); }
  View<const T> adjoint(int term, int step) const {
    return step == last ? g : View<const T>(adjoint_output(term, step));
  }
  View<const T> value(int, int) const { return {}; }
  void gradient_weights(int, int, kernels::Step, View<const T>, View<const T>) {}
};

/// First all gradients of values, then those of all factors at once.
template <class T>
void gradient_in_two(const Problem<T>& p, View<const T> tape, const Gradients<T>& out) {
  const Scratch scratch(p.context, adjoint_bytes(p.walk.factors, p.values(), sizeof(T)));
  const View<T> adjoints = p.batches_in(scratch);
  if (out.dv && !out.accumulate && fits_locally<T>(p.context.device(), p.links, p.walk.steps())) {
    apply_locally(p, true, out.g, out.dv, adjoints);
  } else {
    auto queue = p.context.submit();
    AdjointPlaces<T> steps{p.steps(*queue), out.g, out.dv, adjoints, p.walk.steps() - 1};
    walk_back(p.walk, kernels::Wanted{.input = bool(out.dv), .accumulate = out.accumulate}, steps);
  }
  launch<kernels::product_gradient_weights, T>(*p.context.submit(), {.dz = adjoints,
                                                                     .v = tape,
                                                                     .dw = out.dw,
                                                                     .links = p.links,
                                                                     .sequences = p.shared_weights ? 1 : p.sequences,
                                                                     .summed = p.shared_weights ? p.sequences : 1,
                                                                     .columns = p.columns,
                                                                     .accumulate = out.accumulate,
                                                                     .factors = p.walk.factors,
                                                                     .last_dz = out.g,
                                                                     .first_v = p.v});
}

template <class T>
void gradient_fused(const Problem<T>& p, View<const T> tape, const Gradients<T>& out, Plan plan) {
  const std::int64_t factor = p.links.n * p.links.count, weights = checked_multiply(p.walk.factors, factor);
  const std::int64_t panels = kernels::chain_gradient::scratch_panels(p.walk.factors, bool(tape));
  const Scratch scratch(p.context, checked_multiply(plan.workers * panels * plan.panel, p.links.n * sizeof(T)));
  // Shared weights: each worker sums its own tasks, then the workers' sums are added in order.
  const Scratch partial(p.context, p.shared_weights ? checked_multiply(plan.workers * sizeof(T), weights) : 0);
  auto queue = p.context.submit();
  launch<kernels::chain_gradient, T>(
      *queue, {.w = p.w,
               .v = p.v,
               .g = out.g,
               .tape = tape,
               .dw = p.shared_weights ? View<T>{partial.as<T>(), factor, 0, p.links.count} : out.dw,
               .dv = out.dv,
               .scratch = scratch.as<T>(),
               .links = p.links,
               .factors = p.walk.factors,
               .sequences = p.sequences,
               .columns = p.columns,
               .panel = plan.panel,
               .workers = plan.workers,
               .dw_worker = p.shared_weights ? weights : 0,
               .residual = p.walk.residual,
               .accumulate_dw = out.accumulate,
               .accumulate_dv = out.accumulate,
               .shared = p.shared_weights});
  if (p.shared_weights)
    launch<kernels::sum_partials, T>(*queue, {.partial = partial.as<T>(),
                                              .to = out.dw,
                                              .partials = plan.workers,
                                              .partial_size = weights,
                                              .factors = p.walk.factors,
                                              .rows = p.links.n,
                                              .columns = p.links.count,
                                              .accumulate = out.accumulate});
}

template <class T>
Problem<T> problem_of(const Chain& chain, const Tensor& v, bool residual) {
  const BatchShape shape = batch_shape("v", v);
  return {.context = *chain.pattern().context(),
          .walk = {int(chain.factors()), chain.form(), residual},
          .links = chain.pattern().device_links(),
          .w = view_of<const T>(chain.weights(), 1),
          .shared_weights = chain.shared_weights(),
          .sequences = shape.sequences,
          .columns = shape.columns,
          .v = view_of<const T>(v)};
}

/// v's shape, checked against the chain's.
BatchShape expect_values(const Chain& chain, const Tensor& v) {
  const BatchShape shape = batch_shape("v", v);
  expect_shape("v", shape,
               {chain.shared_weights() ? shape.sequences : chain.sequences(), chain.pattern().n(), shape.columns});
  return shape;
}

/// Throws unless the tape is [factors − 1, …] of v's shape.
void expect_tape(const Chain& chain, const Tensor& tape, const BatchShape& v) {
  expect_shape("each entry of tape", batch_shape("tape", tape, 1), v);
  if (tape.shape[0] != std::max<std::int64_t>(chain.factors() - 1, 0))
    fail(Status::invalid_shape, "tape has ", tape.shape[0], " entries; expected one per factor but the last, ",
         chain.factors() - 1);
}

void apply_checked(const Chain& chain, const Tensor& v, const Tensor& z, const Tensor* tape, bool transposed) {
  const Tensor& weights = chain.weights();
  const DataType type = common_type(chain.pattern(), {{"weights", &weights}, {"v", &v}, {"z", &z}, {"tape", tape}});
  const BatchShape shape = expect_values(chain, v);
  expect_shape("z", batch_shape("z", z), shape);
  expect_apart("z", z, {{"v", &v}, {"weights", &weights}});
  if (tape) {
    expect_tape(chain, *tape, shape);
    expect_apart("tape", *tape, {{"v", &v}, {"z", &z}, {"weights", &weights}});
  }
  if (chain.factors() == 0) return copy(v, z);
  if (z.elements() == 0) return;
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    apply(problem_of<T>(chain, v, chain.residual()), transposed, view_of<T>(z),
          tape ? view_of<T>(*tape, 1) : View<T>{});
  });
}

// Unit vectors are made for this many rows at a time.
constexpr std::int64_t unit_block = 256;

/// The chain or its transpose, without residuals, of so many unit vectors at a time; consume(first, result) gets
/// [batch, N, count] tensors.
template <class Consume>
void apply_to_units(const Chain& chain, DataType type, std::int64_t total, const Tensor* indices, bool transposed,
                    Consume consume) {
  const auto& context = chain.pattern().context();
  const std::int64_t n = chain.pattern().n(), batch = chain.sequences();
  const std::int64_t block = std::min(total, unit_block);
  const Tensor units = Tensor::create(context, type, {n, block}),
               result = Tensor::create(context, type, {batch, n, block});
  for (std::int64_t first = 0; first < total; first += block) {
    const std::int64_t count = std::min(block, total - first);
    const Tensor v = units.view({batch, n, count}, {0, block, 1}, 0),
                 z = result.view({batch, n, count}, {n * block, block, 1}, 0);
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      launch<kernels::unit_columns, T>(*context->submit(),
                                       {.z = view_of<T>(v),
                                        .indices = indices ? indices->data<std::int64_t>() + first : nullptr,
                                        .rows = n,
                                        .columns = count,
                                        .first = first});
      if (chain.factors() == 0)
        copy(v, z);
      else
        apply(problem_of<T>(chain, v, false), transposed, view_of<T>(z), View<T>{});
    });
    consume(first, z);
  }
}

}  // namespace

Chain::Chain(std::shared_ptr<const Pattern> pattern, Tensor weights, bool residual, std::int32_t form)
    : pattern_(std::move(pattern)), weights_(std::move(weights)), residual_(residual), form_(form) {
  common_type(*pattern_, {{"weights", &weights_}});
  const BatchShape shape = batch_shape("weights", weights_, 1);
  expect_shape("each factor of weights", shape, {shape.sequences, pattern_->n(), pattern_->links()});
  checked_int32(factors(), "the number of factors");
  if (residual && form != kernels::form_product) fail(Status::internal, "residuals are of products alone");
}

void Chain::apply(const Tensor& v, const Tensor& z, const Tensor* tape) const {
  apply_checked(*this, v, z, tape, false);
}

void Chain::apply_transposed(const Tensor& v, const Tensor& z) const {
  // What is symmetric has no need of a way of its own.
  apply_checked(*this, v, z, nullptr, form_ == kernels::form_product);
}

void Chain::rows(const std::vector<std::int64_t>& indices, const Tensor& out) const {
  const DataType type = common_type(*pattern_, {{"weights", &weights_}, {"out", &out}});
  const std::int64_t n = pattern_->n(), count = std::int64_t(indices.size());
  expect_shape("out", batch_shape("out", out), {sequences(), count, n});
  for (const std::int64_t index : indices)
    if (index < 0 || index >= n) fail(Status::invalid_argument, "there is no row ", index, "; rows are 0 to ", n - 1);
  expect_apart("out", out, {{"weights", &weights_}});
  if (out.elements() == 0) return;
  const Tensor wanted = Tensor::create(pattern_->context(), DataType::int64, {count});
  copy_from_host(indices.data(), wanted);
  const std::int64_t row_stride = out.strides[out.rank() - 2], batch_stride = out.rank() == 3 ? out.strides[0] : 0;
  // Row i of a product is its transpose applied to the unit vector of i.
  const bool transposed = form_ == kernels::form_product;
  apply_to_units(*this, type, count, &wanted, transposed, [&](std::int64_t first, const Tensor& z) {
    const std::int64_t rows = z.shape[2];
    copy(z.view({sequences(), rows, n}, {z.strides[0], 1, z.strides[1]}, 0),
         out.view({sequences(), rows, n}, {batch_stride, row_stride, 1}, first * row_stride));
  });
}

void Chain::dense(const Tensor& out) const {
  const DataType type = common_type(*pattern_, {{"weights", &weights_}, {"out", &out}});
  const std::int64_t n = pattern_->n();
  expect_shape("out", batch_shape("out", out), {sequences(), n, n});
  expect_apart("out", out, {{"weights", &weights_}});
  if (out.elements() == 0) return;
  const std::int64_t row_stride = out.strides[out.rank() - 2], batch_stride = out.rank() == 3 ? out.strides[0] : 0;
  apply_to_units(*this, type, n, nullptr, false, [&](std::int64_t first, const Tensor& z) {
    copy(z, out.view(z.shape, {batch_stride, row_stride, 1}, first));
  });
}

void Chain::gradient(const Tensor& v, const Tensor* tape, const Tensor& g, const Tensor& dw, const Tensor* dv,
                     bool accumulate) const {
  const DataType type =
      common_type(*pattern_, {{"weights", &weights_}, {"v", &v}, {"g", &g}, {"dw", &dw}, {"tape", tape}, {"dv", dv}});
  const BatchShape shape = expect_values(*this, v);
  expect_shape("g", batch_shape("g", g), shape);
  batch_shape("dw", dw, 1);
  if (!(dw.shape == weights_.shape))
    fail(Status::invalid_shape, "dw has shape ", describe(dw.shape), "; expected the weights' ",
         describe(weights_.shape));
  if (tape) expect_tape(*this, *tape, shape);
  if (dv) expect_shape("dv", batch_shape("dv", *dv), shape);
  expect_apart("dw", dw, {{"v", &v}, {"g", &g}, {"weights", &weights_}, {"tape", tape}});
  if (dv) expect_apart("dv", *dv, {{"v", &v}, {"g", &g}, {"weights", &weights_}, {"tape", tape}, {"dw", &dw}});
  if (v.elements() == 0) {  // sums over nothing
    if (!accumulate) fill(dw, 0);
    return;
  }
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    const Problem<T> problem = problem_of<T>(*this, v, residual_);
    const Gradients<T> out{view_of<const T>(g), view_of<T>(dw, 1), dv ? view_of<T>(*dv) : View<T>{}, accumulate};
    if (factors() == 0) {
      auto queue = problem.context.submit();
      if (dv) problem.steps(*queue).add_now(out.g, out.dv, accumulate);
      return;
    }
    const View<const T> stored = tape ? view_of<const T>(*tape, 1) : View<const T>{};
    const Plan plan = plan_gradient<T>(problem.context.device(), pattern_->n(), factors(), shape.sequences,
                                       shape.columns, problem.shared_weights);
    if (plan.fused())
      gradient_fused(problem, stored, out, plan);
    else if (stored && in_two<T>(problem.context.device(), factors(), problem.values()))
      gradient_in_two(problem, stored, out);
    else
      gradient_stepwise(problem, stored, out);
  });
}

std::int64_t chain_scratch_bytes(const DeviceDescription& device, DataType type, std::int64_t n, std::int64_t factors,
                                 std::int64_t sequences, std::int64_t columns) {
  std::int64_t most = 0;
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    for (const Plan& plan : {plan_apply<T>(device, n, factors, sequences, columns),
                             plan_gradient<T>(device, n, factors, sequences, columns, false)}) {
      // Two panels for each worker, or two batches of values.
      const std::int64_t half = plan.fused() ? plan.workers * plan.panel : checked_multiply(sequences, columns);
      most = std::max(most, checked_multiply(2 * half, n * std::int64_t(sizeof(T))));
    }
    const std::int64_t values = checked_multiply(checked_multiply(sequences, columns), n);
    if (in_two<T>(device, factors, values)) most = std::max(most, adjoint_bytes(factors, values, sizeof(T)));
  });
  return most;
}

}  // namespace chord
