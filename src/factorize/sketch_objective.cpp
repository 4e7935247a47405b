#include "factorize/sketch_objective.hpp"

#include "common/size.hpp"
#include "device/launch.hpp"
#include "factorize/real_type.hpp"
#include "operations/copy.hpp"
#include "operations/shapes.hpp"

namespace chord {
template <class T>
SketchObjective<T>::SketchObjective(const FitProblem& problem, std::int64_t columns, std::function<void()> between)
    : context_(problem.pattern->context()),
      between_(std::move(between)),
      in_(Tensor::create(context_, real_type<T>, {columns / Operator::widest, problem.pattern->n(), Operator::widest})),
      minus_target_(Tensor::create(context_, real_type<T>, in_.shape)),
      weights_(Tensor::create(context_, real_type<T>,
                              {problem.stored_factors, problem.pattern->n(), problem.pattern->links()})),
      gradient_(Tensor::create(context_, real_type<T>, weights_.shape)),
      made_(Tensor::create(context_, real_type<T>, {problem.pattern->n(), Operator::widest})),
      factors_(problem.pattern, weights_, false),
      squares_of_panel_(kernels::sum_squares::pieces(made_.elements())) {
  if (problem.stored_factors > 1)
    tape_ =
        Tensor::create(context_, real_type<T>, {problem.stored_factors - 1, problem.pattern->n(), Operator::widest});
}

template <class T>
std::size_t SketchObjective<T>::bytes(const FitProblem& problem, std::int64_t columns) {
  constexpr std::int64_t most_sums = 4;  // of the gradient, one for each worker
  const std::int64_t panel = checked_multiply(problem.pattern->n(), Operator::widest);
  const std::int64_t values = checked_multiply(2 * panel, columns / Operator::widest) +
                              checked_multiply(panel, problem.stored_factors + 2 + 2 * most_sums) +
                              checked_multiply(problem.weights(), 2 + most_sums);
  return std::size_t(checked_multiply(values, sizeof(T)));
}

template <class T>
Tensor SketchObjective<T>::panel_of(const Tensor& all, std::int64_t number) const {
  return all.view(made_.shape, made_.strides, number * made_.elements());
}

template <class T>
void SketchObjective<T>::set_panel(std::int64_t number, const Panel& in, const Panel& target) {
  copy_from_host(in.values, panel_of(in_, number));
  std::vector<double> minus(target.values.size());
  for (std::size_t i = 0; i < minus.size(); ++i) minus[i] = -target.values[i];
  copy_from_host(minus, panel_of(minus_target_, number));
}

template <class T>
void SketchObjective<T>::evaluate(const T* parameters, T* gradient) {
  context_->submit()->copy(weights_.data<T>(), parameters, weights_.bytes());
  for (std::int64_t number = 0; number < panels(); ++number) {
    context_->wait();
    between_();
    evaluate_panel(number);
  }
  context_->submit()->copy(gradient, gradient_.data<T>(), gradient_.bytes());
}

template <class T>
void SketchObjective<T>::evaluate_panel(std::int64_t number) {
  const Tensor in = panel_of(in_, number);
  const Tensor* tape = tape_ ? &*tape_ : nullptr;
  factors_.apply(in, made_, tape);
  {
    auto queue = context_->submit();
    const std::int64_t rows = made_.shape[0];
    launch<kernels::add_rows, T>(*queue, {.batch = {view_of<const T>(panel_of(minus_target_, number)),
                                                    view_of<T>(made_), 1, rows, Operator::widest},
                                          .accumulate = true});
    launch<kernels::sum_squares, T>(*queue, {.x = made_.data<T>(),
                                             .squares = squares_place_ + number * squares_of_panel_,
                                             .factors = 1,
                                             .factor_size = made_.elements()});
  }
  factors_.gradient(in, tape, made_, gradient_, nullptr, number > 0);
}

template class SketchObjective<float>;
template class SketchObjective<double>;

}  // namespace chord
