#include "factorize/factorize.hpp"

#include "factorize/basin_hopping.hpp"
#include "factorize/race.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

template <class T>
Factorization run(const FitProblem& problem, const FitOptions& options) {
  Fit<T> fit(problem, options);
  if (problem.matrix->norm() == 0 && problem.constraint != Constraint::stochastic) return fit.zero();
  BasinHopping<T> hopping(fit);
  if (options.resume) return fit.result(hopping.run(*fit.resumed()));
  Race<T> race(fit);
  const std::optional<Stop> stop = race.run();
  return fit.result(stop ? *stop : hopping.run(*race.winner()));
}

void check_resume(const FitProblem& problem, const Factorization& from) {
  const auto expect = [](const char* what, const auto& found, const auto& expected) {
    if (found != expected)
      fail(Status::invalid_argument, "the factorisation to go on from has ", what, " ", found, "; expected ", expected);
  };
  expect("n =", from.pattern()->n(), problem.pattern->n());
  expect("links:", from.pattern()->links(), problem.pattern->links());
  expect("stored factors:", from.stored_factors(), problem.stored_factors);
  expect("constraint", std::string(traits(from.constraint()).name), std::string(traits(problem.constraint).name));
  if (from.pattern()->offsets() != problem.pattern->offsets())
    fail(Status::invalid_argument, "the factorisation to go on from has other offsets than the pattern");
}

}  // namespace

Factorization factorize(const FitProblem& problem, const FitOptions& wanted) {
  const FitOptions options = wanted.completed(problem);
  if (options.resume) check_resume(problem, *options.resume);
  std::optional<Factorization> result;
  with_type(options.type, [&](auto zero) { result = run<decltype(zero)>(problem, options); });
  return *result;
}

std::size_t factorize_memory(const FitProblem& problem, const FitOptions& wanted) {
  const FitOptions options = wanted.completed(problem);
  std::size_t bytes = 0;
  with_type(options.type, [&](auto zero) { bytes = Fit<decltype(zero)>::bytes(problem, options); });
  return bytes;
}

}  // namespace chord
