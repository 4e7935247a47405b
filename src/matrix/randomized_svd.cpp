#include "matrix/randomized_svd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "common/size.hpp"
#include "matrix/lapack.hpp"

namespace chord {
namespace {

// LAPACK counts along columns: to it a panel, row by row, is its transpose. What it calls rows are our columns.

void expect_done(int info, const char* name) {
  if (info != 0) fail(Status::internal, "LAPACK's ", name, " gave up: info = ", info);
}

/// Calls a routine twice: it first says how much memory it works in.
template <class Routine>
void with_workspace(const char* name, Routine routine) {
  LapackVector work(1);
  int length = -1, info = 0;
  routine(work.data(), &length, &info);
  expect_done(info, name);
  length = std::max(1, int(work[0]));
  work.resize(std::size_t(length));
  routine(work.data(), &length, &info);
  expect_done(info, name);
}

/// What a panel was, in terms of the orthonormal columns that it has become: to LAPACK, triangle · panel, the triangle
/// being a lower one of columns × columns.
using Triangle = LapackVector;

void clear_above(Triangle& triangle, std::size_t count) {
  for (std::size_t column = 1; column < count; ++column) std::fill_n(triangle.begin() + column * count, column, 0.0);
}

Triangle by_householder(Panel& panel) {
  const Lapack& library = lapack();
  const int rows = checked_int32(panel.columns, "columns"), columns = checked_int32(panel.n, "n");
  const auto count = std::size_t(rows);
  LapackVector tau(count, 0.0);
  with_workspace("dgelqf", [&](double* work, const int* length, int* info) {
    library.dgelqf(&rows, &columns, panel.values.data(), &rows, tau.data(), work, length, info);
  });
  Triangle triangle(panel.values.begin(), panel.values.begin() + std::ptrdiff_t(count * count));
  clear_above(triangle, count);
  with_workspace("dorglq", [&](double* work, const int* length, int* info) {
    library.dorglq(&rows, &columns, &rows, panel.values.data(), &rows, tau.data(), work, length, info);
  });
  return triangle;
}

/// By Cholesky's factor of the columns' products: five times as fast, and precise where columns are far from dependent.
/// Where they are not, nothing, and the panel is as it was.
std::optional<Triangle> by_cholesky(Panel& panel) {
  constexpr double least = 1e-5;  // of a pivot, beside the largest: the error is that of its square
  const Lapack& library = lapack();
  const int rows = checked_int32(panel.columns, "columns"), columns = checked_int32(panel.n, "n");
  const auto count = std::size_t(rows);
  const double one = 1, zero = 0;
  int info = 0;
  Triangle triangle(count * count, 0.0);
  library.dsyrk("L", "N", &rows, &columns, &one, panel.values.data(), &rows, &zero, triangle.data(), &rows);
  library.dpotrf("L", &rows, triangle.data(), &rows, &info);
  if (info != 0) return {};
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    smallest = std::min(smallest, triangle[k * count + k]);
    largest = std::max(largest, triangle[k * count + k]);
  }
  if (!(smallest >= least * largest)) return {};
  library.dtrsm("L", "L", "N", "N", &rows, &columns, &one, triangle.data(), &rows, panel.values.data(), &rows);
  return triangle;
}

Triangle product(const Triangle& a, const Triangle& b, int count) {
  Triangle c(a.size());
  const double one = 1, zero = 0;
  lapack().dgemm("N", "N", &count, &count, &count, &one, a.data(), &count, b.data(), &count, &zero, c.data(), &count);
  return c;
}

/// The columns become orthonormal and span what they did.
Triangle orthonormalize(Panel& panel) {
  const std::optional<Triangle> first = by_cholesky(panel);
  if (!first) return by_householder(panel);
  std::optional<Triangle> second = by_cholesky(panel);  // what the first has left for its rounding
  if (!second) second = by_householder(panel);
  return product(*first, *second, int(panel.columns));
}

/// QᵀX = left · diag(sizes) · rightᵀ, its leading parts, given XᵀQ. left: columns × columns, as LAPACK has it.
struct SmallSvd {
  LapackVector left, sizes;
  Panel right;
};

SmallSvd decomposed(Panel z, std::int64_t rank) {
  Triangle triangle = orthonormalize(z);
  const int width = checked_int32(z.columns, "columns"), n = checked_int32(z.n, "n"), outs = int(rank);
  const auto count = std::size_t(width);
  LapackVector right(count * count);
  SmallSvd svd{LapackVector(count * count), LapackVector(count), Panel(z.n, rank)};
  std::vector<int> integers(8 * count);
  with_workspace("dgesdd", [&](double* work, const int* length, int* info) {
    lapack().dgesdd("S", &width, &width, triangle.data(), &width, svd.sizes.data(), svd.left.data(), &width,
                    right.data(), &width, work, length, integers.data(), info);
  });
  const double one = 1, zero = 0;
  lapack().dgemm("N", "N", &outs, &n, &width, &one, right.data(), &width, z.values.data(), &width, &zero,
                 svd.right.values.data(), &outs);
  return svd;
}

/// q · left, its first `rank` columns.
Panel product(const Panel& q, const LapackVector& left, std::int64_t rank) {
  Panel result(q.n, rank);
  const int outs = checked_int32(rank, "rank"), ins = int(q.columns), n = int(q.n);
  const double one = 1, zero = 0;
  lapack().dgemm("T", "N", &outs, &n, &ins, &one, left.data(), &ins, q.values.data(), &ins, &zero, result.values.data(),
                 &outs);
  return result;
}

void multiply_columns(Panel& panel, const LapackVector& sizes) {
  for (std::int64_t row = 0; row < panel.n; ++row)
    for (std::int64_t k = 0; k < panel.columns; ++k) panel.at(row, k) *= std::sqrt(sizes[std::size_t(k)]);
}

std::int64_t width_for(std::int64_t rank, std::int64_t n) { return std::min(n, rank + more_than_rank); }

}  // namespace

Panel random_signs(std::int64_t n, std::int64_t columns, double size, const Random& random) {
  constexpr std::size_t bits = 128, word = 32;
  Panel panel(n, columns);
  for (std::size_t first = 0; first < panel.values.size(); first += bits) {
    const Random::Block block = random.block(first / bits);
    const std::size_t count = std::min(bits, panel.values.size() - first);
    for (std::size_t i = 0; i < count; ++i)
      panel.values[first + i] = (block[i / word] >> (i % word) & 1) != 0 ? size : -size;
  }
  return panel;
}

LowRankFactors low_rank_within(const Operator& x, const Panel& columns, std::int64_t rank) {
  Panel q = x.times(columns, false);
  orthonormalize(q);
  const std::int64_t found = std::min(rank, q.columns);
  SmallSvd svd = decomposed(x.times(q, true), found);
  LowRankFactors result{product(q, svd.left, found), std::move(svd.right)};
  multiply_columns(result.u, svd.sizes);
  multiply_columns(result.v, svd.sizes);
  return result;
}

LowRankFactors randomized_svd(const Operator& x, std::int64_t rank, int turns, const Random& random) {
  Panel columns = random_signs(x.n(), width_for(rank, x.n()), 1, random);
  for (int turn = 0; turn < turns; ++turn) {
    Panel q = x.times(columns, false);
    orthonormalize(q);
    columns = x.times(q, true);
    orthonormalize(columns);
  }
  return low_rank_within(x, columns, rank);
}

LowRankFactors refined(const Operator& x, const LowRankFactors& from, std::int64_t rank, const Random& random) {
  const std::int64_t width = width_for(rank, x.n()), known = std::min(width, from.v.columns);
  Panel columns = random_signs(x.n(), width, 1, random);
  for (std::int64_t row = 0; row < x.n(); ++row) std::copy_n(from.v.row(row), known, columns.row(row));
  return low_rank_within(x, columns, rank);
}

void subtract_product(const LowRankFactors& part, const double* in, double* out, std::int64_t columns) {
  if (part.u.columns == 0) return;
  const int rank = int(part.u.columns), n = checked_int32(part.u.n, "n"), width = checked_int32(columns, "columns");
  const double one = 1, zero = 0, minus = -1;
  std::vector<double> middle(std::size_t(rank) * std::size_t(columns));
  lapack().dgemm("N", "T", &width, &rank, &n, &one, in, &width, part.v.values.data(), &rank, &zero, middle.data(),
                 &width);
  lapack().dgemm("N", "N", &width, &n, &rank, &minus, middle.data(), &width, part.u.values.data(), &rank, &one, out,
                 &width);
}

}  // namespace chord
