#include "factorize/leftover.hpp"

#include <algorithm>
#include <cmath>

#include "operations/chain.hpp"
#include "operations/copy.hpp"

namespace chord {
namespace {

void subtract_low_rank(const FitProblem& split, const double* sides, std::vector<double>& rest) {
  const std::int64_t n = split.pattern->n();
  for (std::int64_t k = 0; k < split.rank; ++k)
    for (std::int64_t row = 0; row < n; ++row) {
      const double left = sides[k * n + row] * split.scales[std::size_t(k)];
      const double* right = sides + (split.rank + k) * n;
      for (std::int64_t c = 0; c < n; ++c) rest[std::size_t(row * n + c)] -= left * right[c];
    }
}

void subtract_factors(const FitProblem& split, const std::vector<double>& parameters, std::vector<double>& rest) {
  if (split.stored_factors == 0) return;
  const auto& context = split.pattern->context();
  const std::int64_t n = split.pattern->n();
  const Tensor weights = Tensor::create(context, DataType::float64, {split.stored_factors, n, split.pattern->links()});
  copy_from_host(parameters.data(), weights);
  const Tensor product = Tensor::create(context, DataType::float64, {n, n});
  Chain(split.pattern, weights, false).dense(product);
  std::vector<double> made(rest.size());
  copy_to_host(product, made.data());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= made[i];
}

}  // namespace

Leftover leftover(const FitProblem& split, const std::vector<double>& parameters, double scale) {
  const std::int64_t n = split.pattern->n();
  std::vector<double> rest(std::size_t(n * n));
  split.matrix->to_dense(rest.data());
  for (double& value : rest) value /= scale;
  subtract_factors(split, parameters, rest);
  subtract_low_rank(split, parameters.data() + split.weights(), rest);

  const MatrixShape shape = split.shape();
  std::vector<std::int64_t> places;
  places.reserve(std::size_t(shape.rows * shape.columns));
  for (std::int64_t row = 0; row < shape.rows; ++row)
    for (std::int64_t column = 0; column < shape.columns; ++column) places.push_back(row * n + column);
  const auto larger = [&](std::int64_t a, std::int64_t b) {
    const double of_a = std::abs(rest[std::size_t(a)]), of_b = std::abs(rest[std::size_t(b)]);
    return of_a != of_b ? of_a > of_b : a < b;
  };
  std::nth_element(places.begin(), places.begin() + split.entries, places.end(), larger);
  Leftover result{{}, 0};
  for (std::int64_t k = 0; k < split.entries; ++k) {
    const std::int64_t place = places[std::size_t(k)];
    result.entries.push_back({std::int32_t(place / n), std::int32_t(place % n), rest[std::size_t(place)]});
  }
  for (auto place = places.begin() + split.entries; place != places.end(); ++place)
    result.value += rest[std::size_t(*place)] * rest[std::size_t(*place)] / 2;
  return result;
}

}  // namespace chord
