#include "factorize/first_entries.hpp"

#include <algorithm>

#include "factorize/starts.hpp"

namespace chord {
namespace {

constexpr int turns = 5;

Matrix without(const Matrix& matrix, double scale, const std::vector<SparseMatrix::Entry>& entries) {
  DenseMatrix rest(matrix.n());
  matrix.to_dense(rest.values.data());
  for (double& value : rest.values) value /= scale;
  for (const SparseMatrix::Entry& entry : entries)
    rest.values[std::size_t(entry.row * matrix.n() + entry.column)] -= entry.value;
  return Matrix(std::move(rest));
}

}  // namespace

FirstEntries first_entries(const Splits& splits, double scale) {
  const Matrix& x = *splits.front().matrix;
  FitProblem low_rank =
      *std::max_element(splits.begin(), splits.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
  low_rank.stored_factors = 0;
  FitProblem nothing = low_rank;
  nothing.rank = 0;
  auto entries = leftover(nothing, {}, scale).entries;
  for (int turn = 0; turn < turns && low_rank.rank > 0; ++turn) {
    const LowRankStart start({low_rank}, without(x, scale, entries), 1);
    const FitProblem found = start.scaled(low_rank);
    entries = leftover(found, start.parameters(found, 0, 0), scale).entries;
  }
  Matrix rest = without(x, scale, entries);
  return {std::move(entries), std::move(rest)};
}

}  // namespace chord
