#include "factorize/starts.hpp"

#include <cmath>

#include "common/streams.hpp"

namespace chord {
namespace {

// The kinds take turns; sparse matrices begin with the second, for runs that have no time for more.
//   average   every row the mean of its neighbours: X̂ is flat. The paper's; good for pictures and covariances.
//   identity  the diagonal, disturbed: X̂ is nearly diagonal. Good for meshes, networks, other sparse matrices.
//   random    no structure at all. Good where the others' structure is wrong.
enum Kind { average, identity, random, kinds };
static_assert(kinds == kinds_of_starts);

constexpr double average_noise = 0.1, identity_noise = 0.2;

}  // namespace

std::vector<double> start_parameters(const FitProblem& problem, std::uint64_t seed, std::int64_t number) {
  const auto kind = Kind((number + (problem.matrix->sparse() ? identity : average)) % kinds);
  const Random random_numbers = random_of(Stream::starts, seed, std::uint64_t(number / kinds * kinds + kind));
  const std::int64_t links = problem.pattern->links(), n = problem.pattern->n();
  // A product of factors with rows of norm 1 has norm √n, of rows that sum to 1 about 1.
  const double unit = std::pow(double(n), -0.5 / double(problem.walk().steps()));
  const double disturbed = unit / std::sqrt(1 + identity_noise * identity_noise * double(links));
  std::vector<double> w(std::size_t(problem.parameters()));
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double noise = random_numbers.normal(i);
    switch (kind) {
      case average: w[i] = (1 + average_noise * noise) / double(links); break;
      case identity: w[i] = disturbed * (double(i % std::size_t(links) == 0) + identity_noise * noise); break;
      default: w[i] = unit * noise / std::sqrt(double(links));
    }
  }
  if (traits(problem.constraint).weights != kernels::weights_free) {
    for (double& value : w) value = std::abs(value);
    weights_to_parameters(problem.constraint, w);
  }
  return w;
}

void weights_to_parameters(Constraint constraint, std::vector<double>& values) {
  if (traits(constraint).weights == kernels::weights_free) return;
  for (double& value : values) value = std::sqrt(value);
}

}  // namespace chord
