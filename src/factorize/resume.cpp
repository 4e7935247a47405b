#include "factorize/resume.hpp"

#include <cmath>

#include "factorize/fit_run.hpp"
#include "factorize/low_rank.hpp"
#include "factorize/starts.hpp"
#include "operations/copy.hpp"

namespace chord {
namespace {

/// How much of a kind there is.
std::int64_t size_of_part(const Factorization& from, PartKind kind) {
  for (const PartSize& part : from.parts())
    if (part.kind == kind) return part.size;
  return 0;
}

/// The root mean square of the norms of the factors' rows.
double row_norm(const FitProblem& split, const std::vector<double>& weights) {
  double squares = 0;
  for (const double weight : weights) squares += weight * weight;
  return std::sqrt(squares / double(split.stored_factors * split.pattern->n()));
}

}  // namespace

void check_resume(const Splits& splits, const Factorization& from) {
  const FitProblem& problem = splits.front();
  const bool split_anew = by_products(problem) && from.stored_factors() == 0;
  if (splits.size() > 1 && !split_anew)
    fail(Status::invalid_argument,
         "numbers to be split are given, and a factorisation to go on from, whose parts stay "
         "as large as they are; expected one of them");
  const auto expect = [](const char* what, const auto& found, const auto& expected) {
    if (found != expected)
      fail(Status::invalid_argument, "the factorisation to go on from has ", what, " ", found, "; expected ", expected);
  };
  expect("n =", from.pattern()->n(), problem.pattern->n());
  expect("rows:", from.shape().rows, problem.shape().rows);
  expect("columns:", from.shape().columns, problem.shape().columns);
  expect("links:", from.pattern()->links(), problem.pattern->links());
  if (!split_anew) {
    expect("stored factors:", from.stored_factors(), problem.stored_factors);
    expect("rank", size_of_part(from, PartKind::low_rank), problem.rank);
  }
  expect("entries:", size_of_part(from, PartKind::entries), problem.entries);
  expect("constraint", std::string(traits(from.constraint()).name), std::string(traits(problem.constraint).name));
  if (from.pattern()->offsets() != problem.pattern->offsets())
    fail(Status::invalid_argument, "the factorisation to go on from has other offsets than the pattern");
}

std::vector<double> resumed_parameters(FitProblem& split, const Factorization& from, double scale) {
  std::vector<double> values = to_float64(from.weights());
  const double divisor = factor_scale(split, scale);
  for (double& value : values) value /= divisor;
  const double row = row_norm(split, values);
  weights_to_parameters(split.constraint, values);
  if (const LowRank* part = from.low_rank()) {
    const std::vector<double> sides = part->to_parameters(split, row, scale);
    values.insert(values.end(), sides.begin(), sides.end());
  }
  return values;
}

}  // namespace chord
