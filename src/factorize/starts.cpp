#include "factorize/starts.hpp"

#include <algorithm>
#include <cmath>

#include "common/streams.hpp"
#include "matrix/lapack.hpp"

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
  const auto kind = Kind((number + (problem.given_sparse() ? identity : average)) % kinds);
  const Random random_numbers = random_of(Stream::starts, seed, std::uint64_t(number / kinds * kinds + kind));
  const std::int64_t links = problem.pattern->links(), n = problem.pattern->n();
  // A product of factors with rows of norm 1 has norm √n, of rows that sum to 1 about 1.
  const double unit = std::pow(double(n), -0.5 / double(problem.walk().steps()));
  const double disturbed = unit / std::sqrt(1 + identity_noise * identity_noise * double(links));
  std::vector<double> w(std::size_t(problem.weights()));
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

std::vector<double> scales_beside(const FitProblem& problem, double row, const std::vector<double>& sizes) {
  constexpr double smallest = 1e-6;  // of the largest: columns of size 0 are to grow, too
  constexpr double least = 1e-8;     // of X, that is left to the factors where a low rank is exact
  const double steps = problem.walk().steps();
  const double lowest = std::pow(least / std::sqrt(double(problem.pattern->n())), 1 / steps);
  const double curvature = std::pow(std::max(row, lowest), 2 * (steps - 1));
  const double largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  std::vector<double> scales;
  for (const double size : sizes)
    scales.push_back(largest > 0 ? curvature / std::max(size, smallest * largest) : curvature);
  return scales;
}

namespace {

Matrix symmetric_part(const Matrix& matrix) {
  DenseMatrix values(matrix.n()), transposed(matrix.n());
  matrix.to_dense(values.values.data());
  transposed = values;
  transposed.transpose();
  for (std::size_t i = 0; i < values.values.size(); ++i)
    values.values[i] = values.values[i] / 2 + transposed.values[i] / 2;
  return Matrix(std::move(values));
}

SingularVectors vectors_of(const Matrix& matrix, Constraint constraint, std::int64_t count) {
  return singular_vectors(constraint == Constraint::none ? matrix : symmetric_part(matrix), count);
}

/// The same by the process with the first piece, for all who share the fit; what it fails with, they all do.
SingularVectors shared_vectors(FitPeers& peers, const Matrix& matrix, Constraint constraint, std::int64_t count) {
  const std::int64_t n = matrix.n();
  SingularVectors found{n, std::vector<double>(std::size_t(n)), std::vector<double>(std::size_t(count * n)),
                        std::vector<double>(std::size_t(count * n)), count};
  std::vector<double> status{double(Status::success)};
  std::string problem = "the process that has the first piece cannot decompose the matrix";
  if (peers.has(0)) try {
      const OneLapackThread one;
      found = vectors_of(matrix, constraint, count);
    } catch (const Error& error) {
      status = {double(error.status())};
      problem = error.what();
    } catch (const std::bad_alloc&) {
      status = {double(Status::out_of_memory)};
      problem = "out of memory";
    }
  peers.share(0, status);
  if (const auto failure = Status(std::int32_t(status[0])); failure != Status::success) fail(failure, problem);
  for (std::vector<double>* values : {&found.values, &found.left, &found.right}) peers.share(0, *values);
  return found;
}

double squares(const std::vector<double>& values, double scale) {
  double sum = 0;
  for (auto value = values.rbegin(); value != values.rend(); ++value) sum += (*value / scale) * (*value / scale);
  return sum;
}

}  // namespace

LowRankStart::LowRankStart(const Splits& splits, const Matrix& matrix, double scale) : n_(splits.front().pattern->n()) {
  const bool positive = splits.front().constraint == Constraint::semidefinite;
  std::int64_t most = 0;
  for (const FitProblem& split : splits) most = std::max(most, split.rank);
  const Constraint constraint = splits.front().constraint;
  const std::int64_t vectors = positive ? n_ : most;
  FitPeers* const peers = splits.front().peers.get();
  const SingularVectors found =
      peers ? shared_vectors(*peers, matrix, constraint, vectors) : vectors_of(matrix, constraint, vectors);
  const double norm = matrix.norm() / scale;
  beyond_ = std::max(0.0, norm * norm - squares(found.values, scale));
  if (splits.front().constraint == Constraint::none) beyond_ = 0;
  for (std::int64_t k = 0; k < n_; ++k) {
    const double size = found.values[std::size_t(k)] / scale;
    const bool has_vectors = k < found.count;
    const double *left = has_vectors ? &found.left[std::size_t(k * n_)] : nullptr,
                 *right = has_vectors ? &found.right[std::size_t(k * n_)] : nullptr;
    double together = 0;
    for (std::int64_t i = 0; positive && i < n_; ++i) together += left[i] * right[i];
    if (positive && together < 0) {
      beyond_ += size * size;
      continue;
    }
    sizes_.push_back(size);
    if (std::int64_t(sizes_.size()) > most) continue;
    left_.insert(left_.end(), left, left + n_);
    right_.insert(right_.end(), right, right + n_);
  }
}

double LowRankStart::value(std::int64_t rank) const {
  const auto first = sizes_.begin() + std::min(rank, std::int64_t(sizes_.size()));
  return (beyond_ + squares({first, sizes_.end()}, 1)) / 2;
}

FitProblem LowRankStart::scaled(const FitProblem& split) const {
  if (split.rank == 0) return split;
  std::vector<double> sizes;
  for (std::int64_t k = 0; k < split.rank; ++k) sizes.push_back(k < std::int64_t(sizes_.size()) ? sizes_[k] : 0);
  const double rest = std::sqrt(2 * value(split.rank));
  const double row =
      split.stored_factors > 0 ? std::pow(rest / std::sqrt(double(n_)), 1.0 / double(split.walk().steps())) : 1;
  FitProblem result = split;
  result.scales = split.stored_factors > 0 ? scales_beside(split, row, sizes) : std::vector<double>(sizes.size(), 1);
  return result;
}

std::vector<double> LowRankStart::parameters(const FitProblem& split, std::uint64_t seed, std::int64_t number) const {
  std::vector<double> all;
  if (split.stored_factors > 0) {
    all = start_parameters(split, seed, number);
    const double factor = std::pow(std::sqrt(2 * value(split.rank)), 1.0 / double(split.walk().steps()));
    for (double& weight : all) weight *= factor;
  }
  const auto add_side = [&](const std::vector<double>& vectors) {
    for (std::int64_t k = 0; k < split.rank; ++k)
      for (std::int64_t i = 0; i < n_; ++i) {
        const bool there = k * n_ + i < std::int64_t(vectors.size());
        const double size = there ? std::sqrt(sizes_[std::size_t(k)] / split.scales[std::size_t(k)]) : 0;
        all.push_back(there ? vectors[std::size_t(k * n_ + i)] * size : 0);
      }
  };
  add_side(left_);
  if (split.constraint != Constraint::semidefinite) add_side(right_);
  return all;
}

}  // namespace chord
