#include "matrix/randomized_svd.hpp"

#include <algorithm>
#include <cmath>

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

/// The columns become orthonormal and span what they did.
void orthonormalize(Panel& panel) {
  const Lapack& library = lapack();
  const int rows = checked_int32(panel.columns, "columns"), columns = checked_int32(panel.n, "n");
  LapackVector tau(std::size_t(panel.columns), 0.0);
  with_workspace("dgelqf", [&](double* work, const int* length, int* info) {
    library.dgelqf(&rows, &columns, panel.values.data(), &rows, tau.data(), work, length, info);
  });
  with_workspace("dorglq", [&](double* work, const int* length, int* info) {
    library.dorglq(&rows, &columns, &rows, panel.values.data(), &rows, tau.data(), work, length, info);
  });
}

/// QᵀX = left · diag(sizes) · rightᵀ, given XᵀQ, which becomes `right`.
struct SmallSvd {
  LapackVector left, sizes;  ///< left: columns × columns, as LAPACK has it
  Panel right;
};

SmallSvd decomposed(Panel z) {
  const int rows = checked_int32(z.columns, "columns"), columns = checked_int32(z.n, "n");
  const auto count = std::size_t(z.columns);
  SmallSvd svd{LapackVector(count * count), LapackVector(count), Panel(z.n, z.columns)};
  std::vector<int> integers(8 * count);
  with_workspace("dgesdd", [&](double* work, const int* length, int* info) {
    lapack().dgesdd("S", &rows, &columns, z.values.data(), &rows, svd.sizes.data(), svd.left.data(), &rows,
                    svd.right.values.data(), &rows, work, length, integers.data(), info);
  });
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
  const SmallSvd svd = decomposed(x.times(q, true));
  const std::int64_t found = std::min(rank, q.columns);
  LowRankFactors result{product(q, svd.left, found), leading_columns(svd.right, found)};
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
