#include "matrix/truncated_svd.hpp"

#include <algorithm>
#include <cmath>

#include "common/memory.hpp"
#include "common/size.hpp"
#include "matrix/lapack.hpp"
#include "matrix/lapack_memory.hpp"

namespace chord {

namespace {

/// LAPACK's decomposition of X / scale, as it leaves it: it sees the transpose, whose left vectors are our right ones.
struct Decomposition {
  std::int64_t n;
  double scale;
  LapackVector s, u, v;

  double left(std::int64_t k, std::int64_t row) const { return v[std::size_t(row * n + k)]; }
  const double* right(std::int64_t k) const { return &u[std::size_t(k * n)]; }
};

Decomposition decompose(const Matrix& matrix, bool vectors) {
  const std::int64_t size = matrix.n();
  const int n = checked_int32(size, "n");
  const std::int64_t square = checked_multiply(size, size);
  // The matrix, the vectors of both sides, and about seven times as much to work in.
  expect_memory(std::size_t(checked_multiply(square, (vectors ? 10 : 3) * std::int64_t(sizeof(double)))));
  const Lapack& library = lapack();

  LapackVector a(std::size_t(square), 0.0), s(std::size_t(size), 0.0);
  LapackVector u(vectors ? a.size() : 1), v(vectors ? a.size() : 1), work(1);
  std::vector<int> integers(8 * std::size_t(size));
  matrix.to_dense(a.data());                                   // row by row
  const double scale = matrix.norm() > 0 ? matrix.norm() : 1;  // squares of what is left should not overflow
  for (double& value : a) value /= scale;
  const char* job = vectors ? "A" : "N";
  int info = 0;
  for (int length = -1; work.size() > 1 || length == -1;) {
    library.dgesdd(job, &n, &n, a.data(), &n, s.data(), u.data(), &n, v.data(), &n, work.data(), &length,
                   integers.data(), &info);
    if (length != -1 || info != 0) break;
    length = int(work[0]);  // the first call only asks how much it needs
    work.resize(std::max<std::size_t>(2, std::size_t(length)));
  }
  if (info != 0) fail(Status::internal, "LAPACK's dgesdd gave up: info = ", info);
  return {size, scale, std::move(s), std::move(u), std::move(v)};
}

void expect_rank(std::int64_t rank, const MatrixShape& shape) {
  const std::int64_t most = std::min(shape.rows, shape.columns);
  if (rank < 0 || rank > most)
    fail(Status::invalid_argument, "rank is ", rank, "; expected 0 to ", shape.square() ? "n, " : "the shorter side, ",
         most);
}

}  // namespace

double truncated_svd(const Matrix& matrix, std::int64_t rank, double* singular_values, double* approximation) {
  const MatrixShape& shape = matrix.shape();
  expect_rank(rank, shape);
  const bool vectors = approximation && rank > 0;
  const Decomposition found = decompose(matrix, vectors);
  const auto& s = found.s;
  if (singular_values)
    std::transform(s.begin(), s.begin() + std::min(shape.rows, shape.columns), singular_values,
                   [&](double value) { return value * found.scale; });
  if (approximation) {
    std::fill_n(approximation, checked_multiply(shape.rows, shape.columns), 0.0);
    for (std::int64_t row = 0; row < shape.rows && vectors; ++row)
      for (std::int64_t k = 0; k < rank; ++k) {
        const double weight = found.left(k, row) * s[std::size_t(k)] * found.scale;
        for (std::int64_t c = 0; c < shape.columns; ++c)
          approximation[row * shape.columns + c] += weight * found.right(k)[c];
      }
  }
  double squares = 0;
  for (auto value = s.rbegin(); value != s.rend() - rank; ++value) squares += *value * *value;
  return std::sqrt(squares) * found.scale;
}

SingularVectors singular_vectors(const Matrix& matrix, std::int64_t count) {
  const std::int64_t n = matrix.n();
  if (count < 0 || count > n) fail(Status::invalid_argument, "count is ", count, "; expected 0 to n, ", n);
  const Decomposition found = decompose(matrix, true);
  SingularVectors result{n, {found.s.begin(), found.s.end()}, {}, {}, count};
  for (double& value : result.values) value *= found.scale;
  result.right.assign(found.u.begin(), found.u.begin() + count * n);
  result.left.reserve(std::size_t(count * n));
  for (std::int64_t k = 0; k < count; ++k)
    for (std::int64_t row = 0; row < n; ++row) result.left.push_back(found.left(k, row));
  return result;
}

}  // namespace chord
