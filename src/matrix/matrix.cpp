#include "matrix/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/memory.hpp"
#include "common/size.hpp"

namespace chord {
namespace {

std::int64_t checked_n(const MatrixShape& shape) {
  const std::int64_t least = std::min(shape.rows, shape.columns);
  if (least < 1)
    fail(Status::invalid_argument, shape.square() ? "n is " : "an extent is ", least, "; expected 1 or more");
  return checked_int32(shape.n(), "n");
}

/// The count, if there is memory for it.
std::size_t affordable(std::int64_t count, std::int64_t bytes_each) {
  expect_memory(std::size_t(checked_multiply(count, bytes_each)));
  return std::size_t(count);
}

/// Visits (i, j) with j < i once each, tile by tile: whole columns would miss the cache at every step.
/// Stops where the body returns false.
template <class Body>
bool below_diagonal(std::int64_t n, Body body) {
  constexpr std::int64_t tile = 64;
  for (std::int64_t top = 0; top < n; top += tile)
    for (std::int64_t left = 0; left <= top; left += tile)
      for (std::int64_t i = top; i < std::min(top + tile, n); ++i)
        for (std::int64_t j = left; j < std::min(left + tile, i); ++j)
          if (!body(i, j)) return false;
  return true;
}

bool is_symmetric(const DenseMatrix& matrix) {
  const std::int64_t n = matrix.n;
  const double* values = matrix.values.data();
  return below_diagonal(n, [=](std::int64_t i, std::int64_t j) { return values[i * n + j] == values[j * n + i]; });
}

bool is_symmetric(const SparseMatrix& matrix) {
  for (std::int64_t row = 0; row < matrix.n; ++row)
    for (std::int64_t k = matrix.row_starts[row]; k < matrix.row_starts[row + 1]; ++k)
      if (matrix.at(matrix.columns[k], row) != matrix.values[k]) return false;
  return true;
}

/// Scaled by a power of two, so that no square overflows or vanishes.
double frobenius_norm(const std::vector<double>& values) {
  double largest = 0;
  for (const double each : values) largest = std::max(largest, std::abs(each));
  if (largest == 0) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(largest));
  double sum = 0;
  for (const double each : values) sum += (each / unit) * (each / unit);
  return unit * std::sqrt(sum);
}

[[noreturn]] void fail_not_finite(std::int64_t row, std::int64_t column, double value) {
  fail(Status::invalid_argument, "the value at row ", row, ", column ", column, " (counted from 0) is ", value,
       "; expected finite numbers");
}

void expect_finite(const DenseMatrix& matrix) {
  for (std::size_t k = 0; k < matrix.values.size(); ++k)
    if (!std::isfinite(matrix.values[k]))
      fail_not_finite(std::int64_t(k) / matrix.n, std::int64_t(k) % matrix.n, matrix.values[k]);
}

void expect_finite(const SparseMatrix& matrix) {
  for (std::int64_t row = 0; row < matrix.n; ++row)
    for (std::int64_t k = matrix.row_starts[row]; k < matrix.row_starts[row + 1]; ++k)
      if (!std::isfinite(matrix.values[k])) fail_not_finite(row, matrix.columns[k], matrix.values[k]);
}

}  // namespace

MatrixShape checked_shape(std::int64_t rows, std::int64_t columns) {
  if (rows < 1 || columns < 1)
    fail(Status::invalid_shape, rows, " × ", columns, "; a matrix is expected, 1 × 1 or larger");
  checked_int32(rows, "the number of rows");
  checked_int32(columns, "the number of columns");
  return {rows, columns};
}

DenseMatrix::DenseMatrix(MatrixShape shape)
    : n(checked_n(shape)), shape(shape), values(affordable(checked_multiply(n, n), sizeof(double))) {}

DenseMatrix::DenseMatrix(MatrixShape shape, const std::vector<double>& given, bool by_columns) : DenseMatrix(shape) {
  for (std::int64_t row = 0; row < shape.rows; ++row)
    for (std::int64_t column = 0; column < shape.columns; ++column)
      values[row * n + column] = given[by_columns ? column * shape.rows + row : row * shape.columns + column];
}

void DenseMatrix::transpose() {
  below_diagonal(n, [this](std::int64_t i, std::int64_t j) {
    std::swap(values[i * n + j], values[j * n + i]);
    return true;
  });
}

SparseMatrix::SparseMatrix(MatrixShape shape, std::vector<Entry> entries)
    : n(checked_n(shape)), shape(shape), row_starts(affordable(n + 1, sizeof(std::int64_t))) {
  // Stable, so that the entries of one place are summed in the order given.
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  const std::size_t most = affordable(std::int64_t(entries.size()), sizeof(std::int32_t) + sizeof(double));
  columns.reserve(most);
  values.reserve(most);
  const Entry* last = nullptr;
  for (const Entry& each : entries) {
    if (last && last->row == each.row && last->column == each.column) {
      values.back() += each.value;
    } else {
      columns.push_back(each.column);
      values.push_back(each.value);
      ++row_starts[each.row + 1];
    }
    last = &each;
  }
  for (std::int64_t row = 0; row < n; ++row) row_starts[row + 1] += row_starts[row];
}

double SparseMatrix::at(std::int64_t row, std::int64_t column) const {
  const auto first = columns.begin() + row_starts[row], last = columns.begin() + row_starts[row + 1];
  const auto found = std::lower_bound(first, last, column);
  return found != last && *found == column ? values[found - columns.begin()] : 0;
}

Matrix::Matrix(Values values, std::string format) : values_(std::move(values)), format_(std::move(format)) {
  std::visit(
      [this](const auto& matrix) {
        expect_finite(matrix);
        shape_ = matrix.shape;
        const auto held = std::int64_t(matrix.values.size());
        stored_ = dense() ? shape_.rows * shape_.columns : held;
        nonzeros_ = held - std::count(matrix.values.begin(), matrix.values.end(), 0.0);
        symmetric_ = shape_.square() && is_symmetric(matrix);
        norm_ = frobenius_norm(matrix.values);
      },
      values_);
}

void Matrix::to_dense(double* out) const {
  std::fill_n(out, n() * n(), 0.0);
  for (std::int64_t number = 0; number < shape_.rows; ++number) row(number, out + number * n());
}

void Matrix::row(std::int64_t number, double* out) const {
  if (const DenseMatrix* all = dense()) {
    std::copy_n(all->values.begin() + number * n(), shape_.columns, out);
    return;
  }
  const SparseMatrix& some = *sparse();
  std::fill_n(out, shape_.columns, 0.0);
  for (std::int64_t k = some.row_starts[number]; k < some.row_starts[number + 1]; ++k)
    out[some.columns[k]] = some.values[k];
}

}  // namespace chord
