#include "factorize/objective.hpp"

#include <algorithm>
#include <numeric>

#include "common/size.hpp"
#include "operations/walk.hpp"

namespace chord {
namespace {

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
  if (!from.empty()) context.submit()->upload(to.as<T>(), from.data(), from.size() * sizeof(T));
}

/// What is taken off X makes it dense.
bool stays_sparse(const FitProblem& problem) {
  return problem.matrix->sparse() && problem.rank == 0 && problem.entries == 0;
}

/// Partial values of one set's objective, where an evaluation is of so many columns a step at a time.
std::int64_t squares_of_columns(const FitPlan& plan, std::int64_t n, std::int64_t columns) {
  const auto tiles = [&](std::int64_t some) { return kernels::fit_residual::tiles(n, some); };
  return columns / plan.panel * tiles(plan.panel) + tiles(columns % plan.panel);
}
std::int64_t squares_of(const FitProblem& problem, const FitPlan& plan) {
  return plan.fused ? plan.workers : squares_of_columns(plan, problem.pattern->n(), problem.shape().columns);
}

struct Sizes {
  std::int64_t x, column_starts, entry_rows, weights, partial, squares, panels;
  std::int64_t total() const { return x + column_starts + entry_rows + weights + partial + squares + panels; }
};

/// The bytes of each of an objective's blocks.
Sizes sizes(const FitProblem& problem, const FitPlan& plan, std::int64_t sets, std::int64_t element) {
  const std::int64_t n = problem.pattern->n(), parameters = checked_multiply(sets, problem.weights());
  const bool sparse = stays_sparse(problem);
  const bool free = traits(problem.constraint).weights == kernels::weights_free;
  return {checked_multiply(sparse ? problem.matrix->stored() : checked_multiply(n, n), element),
          sparse ? (n + 1) * std::int64_t(sizeof(std::int64_t)) : 0,
          sparse ? checked_multiply(problem.matrix->stored(), sizeof(std::int32_t)) : 0,
          free ? 0 : checked_multiply(parameters, element),
          checked_multiply(checked_multiply(plan.workers, parameters), element),
          sets * squares_of(problem, plan) * std::int64_t(sizeof(double)),
          checked_multiply(sets * plan.workers, scratch_of_worker(problem, plan, std::size_t(element)))};
}

}  // namespace

std::int64_t FitProblem::weights() const {
  return checked_multiply(checked_multiply(stored_factors, pattern->n()), pattern->links());
}

std::int64_t FitProblem::sides() const {
  return checked_multiply(constraint == Constraint::semidefinite ? rank : 2 * rank, pattern->n());
}

template <class T>
void weights_of(const FitProblem& problem, const T* parameters, T* w, std::int64_t sets) {
  launch<kernels::fit_weights, T>(*problem.pattern->context()->submit(),
                                  {.parameters = parameters,
                                   .w = w,
                                   .rows = sets * problem.stored_factors * problem.pattern->n(),
                                   .links = problem.pattern->links(),
                                   .kind = traits(problem.constraint).weights});
}

template void weights_of(const FitProblem&, const float*, float*, std::int64_t);
template void weights_of(const FitProblem&, const double*, double*, std::int64_t);

template <class T>
Objective<T>::Objective(const FitProblem& problem, double scale, std::int64_t sets, std::optional<FitPlan> plan)
    : problem_(problem),
      context_(*problem.pattern->context()),
      sets_{.count = sets},
      plan_(plan ? *plan : plan_fit(problem, sizeof(T))),
      scale_(scale),
      x_(context_, sizes(problem_, plan_, sets, sizeof(T)).x),
      column_starts_(context_, sizes(problem_, plan_, sets, sizeof(T)).column_starts),
      entry_rows_(context_, sizes(problem_, plan_, sets, sizeof(T)).entry_rows),
      weights_(context_, sizes(problem_, plan_, sets, sizeof(T)).weights),
      partial_(context_, sizes(problem_, plan_, sets, sizeof(T)).partial),
      squares_(context_, sizes(problem_, plan_, sets, sizeof(T)).squares),
      panels_(context_, sizes(problem_, plan_, sets, sizeof(T)).panels),
      squares_place_(squares_.as<double>()) {
  if (problem.rank > 0) low_rank_.emplace(problem);
  if (stays_sparse(problem)) {
    const ColumnEntries columns(*problem.matrix->sparse());
    upload(context_, column_starts_, columns.starts);
    upload(context_, entry_rows_, columns.rows);
    upload(context_, x_, scaled<T>(columns.values, scale));
  } else {
    set_entries({});
  }
}

template <class T>
std::int64_t Objective<T>::squares_count() const {
  return problem_.peers ? 1 : squares_of(problem_, plan_);
}

template <class T>
void Objective<T>::set_entries(const std::vector<SparseMatrix::Entry>& entries) {
  const std::int64_t n = problem_.pattern->n();
  std::vector<double> values(std::size_t(n * n));
  problem_.matrix->to_dense(values.data());
  std::vector<T> rest = scaled<T>(values, scale_);
  for (const SparseMatrix::Entry& entry : entries) rest[std::size_t(entry.row * n + entry.column)] -= T(entry.value);
  upload(context_, x_, rest);
}

template <class T>
std::size_t Objective<T>::bytes(const FitProblem& problem, const FitPlan& plan, std::int64_t sets) {
  return std::size_t(sizes(problem, plan, sets, sizeof(T)).total()) +
         (problem.rank > 0 ? LowRankTerm<T>::bytes(problem) : 0);
}

template <class T>
kernels::Columns<T> Objective<T>::columns() const {
  const MatrixShape shape = problem_.shape();
  if (!stays_sparse(problem_)) return {.dense = x_.as<T>(), .height = shape.rows, .width = shape.columns};
  return {.starts = column_starts_.as<std::int64_t>(),
          .rows = entry_rows_.as<std::int32_t>(),
          .entries = x_.as<T>(),
          .height = shape.rows,
          .width = shape.columns};
}

template <class T>
void Objective<T>::evaluate(const T* parameters, T* gradient) {
  if (problem_.peers) return queue_evaluation(parameters, gradient);  // what the host has a part in is not recorded
  if (!evaluation_ || evaluation_->parameters != parameters || evaluation_->gradient != gradient)
    evaluation_.reset(new Evaluation{parameters, gradient, {context_, std::make_shared<Arena>(context_)}});
  evaluation_->work.run([&] { queue_evaluation(parameters, gradient); });
}

template <class T>
void Objective<T>::queue_evaluation(const T* parameters, T* gradient) {
  const std::int32_t kind = traits(problem_.constraint).weights;
  const bool free = kind == kernels::weights_free;
  if (!free) weights_of(problem_, parameters, weights_.as<T>(), sets_.count);
  const T* w = free ? parameters : weights_.as<T>();
  const T* sides = parameters + problem_.weights();
  kernels::Columns<T> x = columns();
  if (low_rank_) x.dense = low_rank_->subtract_from(x_.as<T>(), sides);
  if (problem_.peers)
    evaluate_shared(w, x);
  else if (plan_.fused)
    evaluate_fused(w, x, squares_place_);
  else
    evaluate_stepwise(w, x, 0, problem_.shape().columns, squares_place_);
  launch<kernels::fit_gradient, T>(*context_.submit(), {.partial = partial_.as<T>(),
                                                        .sets = sets_,
                                                        .parameters = parameters,
                                                        .w = w,
                                                        .gradient = gradient,
                                                        .partials = problem_.peers ? 1 : plan_.workers,
                                                        .rows = rows(),
                                                        .links = problem_.pattern->links(),
                                                        .kind = kind});
  if (low_rank_) low_rank_->gradient(w, sides, gradient + problem_.weights());
}

namespace {

/// Which of X's columns the workers of a launch have.
kernels::Pieces pieces_of(const FitProblem& problem) {
  if (!problem.peers) return {};
  return {problem.peers->pieces(), problem.peers->first()};
}

}  // namespace

template <class T>
void Objective<T>::evaluate_fused(const T* w, const kernels::Columns<T>& x, double* squares) {
  launch<kernels::fit_panels, T>(*context_.submit(), {.w = w,
                                                      .sets = sets_,
                                                      .x = x,
                                                      .dw = partial_.as<T>(),
                                                      .squares = squares,
                                                      .scratch = panels_.as<T>(),
                                                      .links = problem_.pattern->device_links(),
                                                      .factors = problem_.stored_factors,
                                                      .panel = plan_.panel,
                                                      .workers = plan_.workers,
                                                      .form = traits(problem_.constraint).form,
                                                      .pieces = pieces_of(problem_)});
}

namespace {

/// Steps on a panel of columns of X̂, from its first on: unit vectors walk through the factors.
template <class T>
struct UnitSteps : LaunchSteps<T> {
  View<T> unit_memory;
  std::int64_t first = 0;
  bool later = false;  // another panel has begun the sums
  bool semidefinite = false;

  void make_unit_vectors() {
    launch<kernels::unit_columns, T>(
        *this->queue,
        {.z = unit_memory, .indices = nullptr, .rows = this->links.n, .columns = this->columns, .first = first});
  }

  void gradient_weights(int term, int step, kernels::Step which, View<const T> adjoint, View<const T> input) {
    // The way back has overwritten the unit vectors; the adjoint is in the other panel by now.
    if (step == 0) make_unit_vectors();
    // A factor met for the first time starts its sum: terms and, in P Pᵀ, steps come to each of them twice.
    this->accumulate_dw = later || term > 0 || (semidefinite && which.transposed);
    LaunchSteps<T>::gradient_weights(term, step, which, adjoint, input);
  }
};

}  // namespace

template <class T>
void Objective<T>::evaluate_stepwise(const T* w, const kernels::Columns<T>& x, std::int64_t first_column,
                                     std::int64_t last_column, double* squares) {
  const kernels::Walk walk = problem_.walk();
  const kernels::Links links = problem_.pattern->device_links();
  const std::int64_t n = links.n, panel = plan_.panel, factor = n * links.count;
  auto queue = context_.submit();
  kernels::FitPlaces<T, UnitSteps<T>> steps{};
  steps.queue = &*queue;
  steps.links = links;
  steps.sequences = 1;
  steps.w = {w, factor, 0, links.count};
  steps.dw = {partial_.as<T>(), factor, 0, links.count};
  steps.shared_weights = true;
  steps.semidefinite = walk.form == kernels::form_semidefinite;
  steps.scratch = {panels_.as<T>(), n * panel, 0, panel};
  steps.terms = walk.terms();
  steps.steps = walk.steps();
  steps.unit_memory = steps.adjoint_output(0, -1);  // free until the way back, and again at its last step
  steps.unit = steps.unit_memory;
  for (steps.first = first_column; steps.first < last_column; steps.first += panel) {
    steps.columns = std::min(panel, last_column - steps.first);
    steps.later = steps.first > first_column;
    steps.make_unit_vectors();
    walk_forward(walk, walk.steps(), steps);
    const int last = walk.steps() - 1;
    launch<kernels::fit_residual, T>(*queue,
                                     {.values = steps.output(0, last).data,
                                      .others = walk.terms() == 2 ? steps.output(1, last).data : nullptr,
                                      .x = x,
                                      .squares = squares + squares_of_columns(plan_, n, steps.first - first_column),
                                      .n = n,
                                      .first = steps.first,
                                      .columns = steps.columns,
                                      .panel = panel});
    walk_back(walk, kernels::Wanted{.weights = true}, steps);
  }
}

/// The sum of all processes' pieces becomes the only partial gradient, and the only square.
template <class T>
void Objective<T>::evaluate_shared(const T* w, const kernels::Columns<T>& x) {
  FitPeers& peers = *problem_.peers;
  const std::int64_t weights = problem_.weights();
  peers.begin_sum(weights + 1);  // of each piece, its partial gradient and its square
  if (plan_.fused)
    evaluate_pieces(w, x);
  else
    evaluate_pieces_stepwise(w, x);
  const double* sum = peers.sum();
  on_host_.assign(sum, sum + weights);
  upload(context_, partial_, on_host_);
  context_.submit()->upload(squares_place_, sum + weights, sizeof(double));
  context_.wait();
}

/// All of this process in one launch.
template <class T>
void Objective<T>::evaluate_pieces(const T* w, const kernels::Columns<T>& x) {
  evaluate_fused(w, x, squares_.as<double>());
  const std::int64_t weights = problem_.weights();
  fetch(plan_.workers * weights, plan_.workers);
  for (std::int64_t piece = 0; piece < plan_.workers; ++piece) {
    double* const row = problem_.peers->row(piece);
    std::copy_n(on_host_.begin() + piece * weights, weights, row);
    row[weights] = squares_on_host_[std::size_t(piece)];
  }
}

/// One after the other.
template <class T>
void Objective<T>::evaluate_pieces_stepwise(const T* w, const kernels::Columns<T>& x) {
  FitPeers& peers = *problem_.peers;
  const std::int64_t columns = problem_.shape().columns, weights = problem_.weights();
  for (std::int64_t piece = 0; piece < peers.own(); ++piece) {
    const std::int64_t first = peers.first_column(piece, columns), last = peers.first_column(piece + 1, columns);
    double* const row = peers.row(piece);
    if (first == last) {
      std::fill_n(row, weights + 1, 0.0);
      continue;
    }
    evaluate_stepwise(w, x, first, last, squares_.as<double>());
    fetch(weights, squares_of_columns(plan_, problem_.pattern->n(), last - first));
    std::copy(on_host_.begin(), on_host_.end(), row);
    row[weights] = std::accumulate(squares_on_host_.begin(), squares_on_host_.end(), 0.0);
  }
}

/// Partial gradients and squares, to memory that is kept: fresh pages would cost more than copying.
template <class T>
void Objective<T>::fetch(std::int64_t gradients, std::int64_t squares) {
  on_host_.resize(std::size_t(gradients));
  squares_on_host_.resize(std::size_t(squares));
  context_.submit()->copy(on_host_.data(), partial_.as<T>(), on_host_.size() * sizeof(T));
  context_.submit()->copy(squares_on_host_.data(), squares_.as<double>(), squares_on_host_.size() * sizeof(double));
  context_.wait();
}

template class Objective<float>;
template class Objective<double>;

}  // namespace chord
