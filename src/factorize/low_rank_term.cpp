#include "factorize/low_rank_term.hpp"

#include <type_traits>

#include "common/size.hpp"
#include "device/launch.hpp"
#include "factorize/real_type.hpp"
#include "operations/copy.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

Tensor diagonal(const std::shared_ptr<Context>& context, DataType type, const std::vector<double>& scales,
                double share) {
  const std::size_t rank = scales.size();
  std::vector<double> values(rank * rank, 0.0);
  for (std::size_t k = 0; k < rank; ++k) values[k * rank + k] = scales[k] * share;
  const Tensor tensor = Tensor::create(context, type, {std::int64_t(rank), std::int64_t(rank)});
  copy_from_host(values, tensor);
  return tensor;
}

}  // namespace

template <class T>
LowRankTerm<T>::LowRankTerm(const FitProblem& problem)
    : problem_(problem),
      context_(problem.pattern->context()),
      rest_(Tensor::create(context_, real_type<T>, {n(), n()})),
      added_(diagonal(context_, real_type<T>, problem.scales, problem.constraint == Constraint::semidefinite ? 2 : 1)),
      subtracted_(
          diagonal(context_, real_type<T>, problem.scales, problem.constraint == Constraint::symmetric ? -0.5 : -1)),
      rows_(Tensor::create(context_, real_type<T>, {problem.rank, n()})),
      columns_(Tensor::create(context_, real_type<T>, {n(), problem.rank})),
      product_(Tensor::create(context_, real_type<T>, {n(), problem.rank})),
      other_(Tensor::create(context_, real_type<T>, {n(), problem.rank})),
      unused_(Tensor::create(context_, real_type<T>, {n()})),
      weights_(Tensor::create(context_, real_type<T>, {problem.stored_factors, n(), problem.pattern->links()})),
      factors_(problem.pattern, weights_, false, traits(problem.constraint).form) {
  fill(unused_, 0);
}

template <class T>
std::size_t LowRankTerm<T>::bytes(const FitProblem& problem) {
  const std::int64_t n = problem.pattern->n(), rank = problem.rank;
  const std::int64_t values = checked_multiply(n, n) + 2 * rank * rank + 4 * checked_multiply(n, rank) + n +
                              problem.weights() + 2 * checked_multiply(n, rank);  // the chain's own panels
  return std::size_t(checked_multiply(values, sizeof(T)));
}

template <class T>
const T* LowRankTerm<T>::other_side(const T* parameters) const {
  return problem_.constraint == Constraint::semidefinite ? parameters : parameters + n() * problem_.rank;
}

template <class T>
void LowRankTerm<T>::scale(const Tensor& diagonal, const T* side, const Tensor& to) {
  launch<kernels::dense_gradient_input, T>(*context_->submit(), {.dout = diagonal.data<T>(),
                                                                 .weight = side,
                                                                 .din = view_of<T>(to),
                                                                 .rows = problem_.rank,
                                                                 .ins = n(),
                                                                 .outs = problem_.rank});
}

template <class T>
void LowRankTerm<T>::transpose(const T* from, std::int64_t rows, std::int64_t columns, T* to) {
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  launch<kernels::copy_strided, Word>(*context_->submit(), {.from = {reinterpret_cast<const Word*>(from), 0, 0, 1},
                                                            .to = {reinterpret_cast<Word*>(to), 0, 0, rows},
                                                            .from_column_stride = columns,
                                                            .to_column_stride = 1,
                                                            .factors = 1,
                                                            .sequences = 1,
                                                            .rows = columns,
                                                            .columns = rows});
}

template <class T>
const T* LowRankTerm<T>::subtract_from(const T* x, const T* parameters) {
  const auto subtract = [&](const T* left, const T* right) {
    scale(subtracted_, right, rows_);
    launch<kernels::dense_gradient_weights, T>(*context_->submit(), {.dout = left,
                                                                     .in = view_of<const T>(rows_),
                                                                     .dweight = rest_.data<T>(),
                                                                     .dbias = unused_.data<T>(),
                                                                     .rows = problem_.rank,
                                                                     .ins = n(),
                                                                     .outs = n(),
                                                                     .accumulate = true});
  };
  context_->submit()->copy(rest_.data<T>(), x, rest_.bytes());
  subtract(parameters, other_side(parameters));
  if (problem_.constraint == Constraint::symmetric) subtract(other_side(parameters), parameters);
  return rest_.data<T>();
}

template <class T>
void LowRankTerm<T>::side_gradient(const T* side, T* gradient, bool straight, bool transposed) {
  const std::int64_t rank = problem_.rank;
  scale(added_, side, rows_);
  transpose(rows_.data<T>(), rank, n(), columns_.data<T>());
  if (straight)
    factors_.apply(columns_, product_, nullptr);
  else
    factors_.apply_transposed(columns_, product_);
  scale(subtracted_, side, rows_);
  if (straight) {  // + X′ · (−side D)
    transpose(rows_.data<T>(), rank, n(), columns_.data<T>());
    auto queue = context_->submit();
    launch<kernels::dense_gradient_input, T>(*queue, {.dout = rest_.data<T>(),
                                                      .weight = columns_.data<T>(),
                                                      .din = view_of<T>(other_),
                                                      .rows = n(),
                                                      .ins = rank,
                                                      .outs = n()});
    launch<kernels::add_rows, T>(
        *queue, {.batch = {view_of<const T>(other_), view_of<T>(product_), 1, n(), rank}, .accumulate = true});
  }
  transpose(product_.data<T>(), n(), rank, gradient);
  if (transposed) {  // + (−side D)ᵀ X′
    const Tensor sum = other_.view({rank, n()}, {n(), 1}, 0);
    auto queue = context_->submit();
    launch<kernels::dense_gradient_input, T>(*queue, {.dout = rows_.data<T>(),
                                                      .weight = rest_.data<T>(),
                                                      .din = view_of<T>(sum),
                                                      .rows = rank,
                                                      .ins = n(),
                                                      .outs = n()});
    launch<kernels::add_rows, T>(
        *queue, {.batch = {view_of<const T>(sum), {gradient, 0, 0, n()}, 1, rank, n()}, .accumulate = true});
  }
}

template <class T>
void LowRankTerm<T>::gradient(const T* weights, const T* parameters, T* gradient) {
  context_->submit()->copy(weights_.data<T>(), weights, weights_.bytes());
  const bool symmetric = problem_.constraint != Constraint::none;
  side_gradient(other_side(parameters), gradient, true, symmetric);
  clear_beyond(problem_.shape().rows, gradient);
  if (problem_.constraint == Constraint::semidefinite) return;
  side_gradient(parameters, gradient + n() * problem_.rank, symmetric, true);
  clear_beyond(problem_.shape().columns, gradient + n() * problem_.rank);
}

template <class T>
void LowRankTerm<T>::clear_beyond(std::int64_t rows, T* gradient) {
  if (rows == n()) return;
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  launch<kernels::fill_strided, Word>(*context_->submit(), {.to = {reinterpret_cast<Word*>(gradient + rows), 0, 0, n()},
                                                            .column_stride = 1,
                                                            .factors = 1,
                                                            .sequences = 1,
                                                            .rows = problem_.rank,
                                                            .columns = n() - rows,
                                                            .value = 0});
}

template class LowRankTerm<float>;
template class LowRankTerm<double>;

}  // namespace chord
