#include "factorize/objective.hpp"

#include <algorithm>
#include <limits>

#include "common/size.hpp"
#include "device/launch.hpp"
#include "operations/block_shape.hpp"
#include "operations/product.hpp"

namespace chord {
namespace {

// A worker's panels should stay in its core's share of the cache, but be wide enough for the sums over their columns.
constexpr std::int64_t cache_bytes = 1 << 20;
constexpr std::int64_t narrow_panel = 32, wide_panel = 64;

// Less work than this (multiplications of one way through the factors) is done before a second thread has begun.
constexpr std::int64_t work_worth_threads = 100 << 10;
constexpr std::int64_t cpu_tile_rows = 512;

// Devices that take a step at a time want many columns at once, and have this much memory for all steps of them.
constexpr std::int64_t stepwise_bytes = std::int64_t(512) << 20;

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Of a panel of columns, roughly: blocks of fewer registers load the weights more often.
double panel_cost(std::int64_t columns, std::int64_t vector) {
  const std::int64_t medium = 4 * vector, narrow = columns % medium;
  return double(columns) + 0.7 * double(narrow) + 0.1 * double((columns - narrow) % (2 * medium)) + 1;
}

std::int64_t panels_per_worker(const FitProblem& problem) { return problem.terms() * problem.steps() + 2; }

/// X by columns.
struct ColumnEntries {
  explicit ColumnEntries(const SparseMatrix& matrix)
      : starts(std::size_t(matrix.n + 1)), rows(matrix.values.size()), values(matrix.values.size()) {
    for (const std::int32_t column : matrix.columns) ++starts[column + 1];
    for (std::int64_t c = 0; c < matrix.n; ++c) starts[c + 1] += starts[c];
    std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
    for (std::int64_t row = 0; row < matrix.n; ++row)
      for (std::int64_t e = matrix.row_starts[row]; e < matrix.row_starts[row + 1]; ++e) {
        const std::int64_t at = next[matrix.columns[e]]++;
        rows[at] = std::int32_t(row);
        values[at] = matrix.values[e];
      }
  }
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> rows;
  std::vector<double> values;
};

template <class T>
std::vector<T> scaled(const std::vector<double>& values, double scale) {
  std::vector<T> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), [&](double value) { return T(value / scale); });
  return result;
}

template <class T>
void upload(Context& context, const Scratch& to, const std::vector<T>& from) {
  if (from.empty()) return;
  context.submit()->copy(to.as<T>(), from.data(), from.size() * sizeof(T));
  context.wait();
}

struct Sizes {
  std::int64_t x, column_starts, entry_rows, weights, partial, squares, panels;
  std::int64_t total() const { return x + column_starts + entry_rows + weights + partial + squares + panels; }
};

/// In bytes.
Sizes sizes(const FitProblem& problem, const FitPlan& plan, std::int64_t element) {
  const std::int64_t n = problem.pattern->n(), parameters = problem.parameters();
  const bool sparse = problem.matrix->sparse();
  const bool free = traits(problem.constraint).weights == kernels::weights_free;
  return {checked_multiply(problem.matrix->stored(), element),
          sparse ? (n + 1) * std::int64_t(sizeof(std::int64_t)) : 0,
          sparse ? checked_multiply(problem.matrix->stored(), sizeof(std::int32_t)) : 0,
          free ? 0 : checked_multiply(parameters, element),
          checked_multiply(checked_multiply(plan.workers, parameters), element),
          (plan.fused ? plan.workers : n) * std::int64_t(sizeof(double)),
          checked_multiply(checked_multiply(plan.workers * panels_per_worker(problem), n * plan.panel), element)};
}

}  // namespace

std::int64_t FitProblem::parameters() const {
  return checked_multiply(checked_multiply(stored_factors, pattern->n()), pattern->links());
}

FitPlan plan_fit(const FitProblem& problem, std::size_t element_bytes) {
  const std::int64_t n = problem.pattern->n(), vector = 32 / std::int64_t(element_bytes);
  const std::int64_t row = checked_multiply(panels_per_worker(problem) * std::int64_t(element_bytes), n);
  const DeviceDescription& device = problem.pattern->context()->device();
  if (!device.cpu_like())
    return {false, std::clamp<std::int64_t>(stepwise_bytes / row / vector * vector, vector, round_up(n, vector)), 1};
  const std::int64_t widest = std::clamp(cache_bytes / row, narrow_panel, wide_panel);
  const bool small = checked_multiply(problem.parameters(), n) < work_worth_threads;
  const std::int64_t units = small ? 1 : device.units;
  FitPlan best{};
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t panel = vector; panel <= widest; panel += vector) {
    const auto panels = std::int64_t(divide_up(n, panel)), workers = std::min(units, panels);
    if (const double cost = double(divide_up(panels, workers)) * panel_cost(panel, vector); cost <= least) {
      least = cost;
      best = {true, panel, workers};
    }
  }
  return best;
}

template <class T>
Objective<T>::Objective(const FitProblem& problem, double scale, std::optional<FitPlan> plan)
    : problem_(problem),
      context_(*problem.pattern->context()),
      plan_(plan ? *plan : plan_fit(problem, sizeof(T))),
      x_(context_, sizes(problem_, plan_, sizeof(T)).x),
      column_starts_(context_, sizes(problem_, plan_, sizeof(T)).column_starts),
      entry_rows_(context_, sizes(problem_, plan_, sizeof(T)).entry_rows),
      weights_(context_, sizes(problem_, plan_, sizeof(T)).weights),
      partial_(context_, sizes(problem_, plan_, sizeof(T)).partial),
      squares_(context_, sizes(problem_, plan_, sizeof(T)).squares),
      panels_(context_, sizes(problem_, plan_, sizeof(T)).panels) {
  if (const SparseMatrix* sparse = problem.matrix->sparse()) {
    const ColumnEntries columns(*sparse);
    upload(context_, column_starts_, columns.starts);
    upload(context_, entry_rows_, columns.rows);
    upload(context_, x_, scaled<T>(columns.values, scale));
  } else {
    upload(context_, x_, scaled<T>(problem.matrix->dense()->values, scale));
  }
}

template <class T>
std::size_t Objective<T>::bytes(const FitProblem& problem, const FitPlan& plan) {
  return std::size_t(sizes(problem, plan, sizeof(T)).total());
}

template <class T>
void Objective<T>::weights(const T* parameters, T* w) {
  const auto [rows, tile_rows, grid] = row_tiles();
  launch<&kernels::fit_weights<T>>(*context_.submit(), grid, parameters, w, problem_.pattern->links(),
                                   traits(problem_.constraint).weights, rows, tile_rows);
}

template <class T>
void Objective<T>::evaluate(const T* parameters, T* gradient) {
  const std::int32_t kind = traits(problem_.constraint).weights;
  const bool free = kind == kernels::weights_free;
  if (!free) weights(parameters, weights_.as<T>());
  const T* w = free ? parameters : weights_.as<T>();
  if (plan_.fused)
    evaluate_fused(w);
  else
    evaluate_stepwise(w);
  const auto [rows, tile_rows, grid] = row_tiles();
  launch<&kernels::fit_gradient<T>>(*context_.submit(), grid, partial_.as<T>(), plan_.workers, parameters, w, gradient,
                                    problem_.pattern->links(), kind, rows, tile_rows);
}

/// All rows of all factors: one each for a GPU's threads, as many as are worth a thread on a CPU.
template <class T>
typename Objective<T>::RowTiles Objective<T>::row_tiles() const {
  const std::int64_t rows = problem_.stored_factors * problem_.pattern->n();
  const std::int64_t tile_rows = context_.device().cpu_like() ? cpu_tile_rows : 1;
  return {rows, tile_rows, Grid{1, divide_up(rows, tile_rows)}};
}

template <class T>
void Objective<T>::evaluate_fused(const T* w) {
  const Pattern& pattern = *problem_.pattern;
  const bool sparse = problem_.matrix->sparse();
  launch<&kernels::fit_panels<T>>(
      *context_.submit(), Grid{std::size_t(plan_.workers)}, w, sparse ? nullptr : x_.as<T>(),
      column_starts_.as<std::int64_t>(), entry_rows_.as<std::int32_t>(), x_.as<T>(), partial_.as<T>(),
      squares_.as<double>(), panels_.as<T>(), pattern.device_offsets(), pattern.n(), pattern.links(),
      problem_.stored_factors, traits(problem_.constraint).form, plan_.panel, plan_.workers);
}

template <class T>
void Objective<T>::evaluate_stepwise(const T* w) {
  const Pattern& pattern = *problem_.pattern;
  const std::int64_t n = pattern.n(), links = pattern.links(), panel = plan_.panel, steps = problem_.steps();
  const int form = traits(problem_.constraint).form, factors = int(problem_.stored_factors);
  const bool sparse = problem_.matrix->sparse();
  const auto factor = [&](int term, int step) { return kernels::step_factor(form, factors, term, step) * n * links; };
  const auto transposed = [&](int term, int step) { return kernels::step_transposed(form, factors, term, step); };
  const auto panel_at = [&](std::int64_t index) { return Rows<T>{panels_.as<T>() + index * n * panel, 0, panel}; };
  const Rows<T> swap[] = {panel_at(problem_.terms() * steps), panel_at(problem_.terms() * steps + 1)};
  const Rows<T> unit = swap[0];  // free again before the way back has used both
  auto queue = context_.submit();
  for (std::int64_t first = 0; first < n; first += panel) {
    const std::int64_t columns = std::min(panel, n - first);
    const auto unit_columns = [&] {
      launch<&kernels::unit_columns<T>>(*queue, Grid{1, std::size_t(n)}, unit.data, panel, columns, nullptr, first);
    };
    unit_columns();
    for (int term = 0; term < problem_.terms(); ++term)
      for (int step = 0; step < steps; ++step)
        launch_product<T>(*queue, transposed(term, step), pattern, 1, columns, {w + factor(term, step), 0, links},
                          step ? panel_at(term * steps + step - 1) : unit, panel_at(term * steps + step), {});
    const Rows<T> residual = panel_at(steps - 1);
    launch<&kernels::fit_residual<T>>(*queue, Grid{1, std::size_t(columns)}, residual.data,
                                      problem_.terms() == 2 ? panel_at(2 * steps - 1).data : nullptr, panel,
                                      sparse ? nullptr : x_.as<T>(), column_starts_.as<std::int64_t>(),
                                      entry_rows_.as<std::int32_t>(), x_.as<T>(), n, first, squares_.as<double>());
    for (int term = 0; term < problem_.terms(); ++term) {
      Rows<const T> adjoint = residual;
      for (int step = int(steps) - 1; step >= 0; --step) {
        // The way back has overwritten the unit vectors; the last step's adjoint is in the other panel.
        if (step == 0) unit_columns();
        const Rows<const T> input = step ? panel_at(term * steps + step - 1) : unit;
        // A factor met for the first time starts its sum: terms and, in P Pᵀ, steps come to each of them twice.
        const bool met = first > 0 || term > 0 || (form == kernels::form_semidefinite && step < factors);
        const bool back = transposed(term, step);
        launch_product_weights<T>(*queue, pattern, 1, 1, columns, back ? input : adjoint, back ? adjoint : input,
                                  {partial_.as<T>() + factor(term, step), 0, links}, met);
        if (step == 0) break;
        const Rows<T> out = swap[step % 2];
        launch_product<T>(*queue, !back, pattern, 1, columns, {w + factor(term, step), 0, links}, adjoint, out, {});
        adjoint = out;
      }
    }
  }
}

template class Objective<float>;
template class Objective<double>;

}  // namespace chord
