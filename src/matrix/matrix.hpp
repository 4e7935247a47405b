// Matrices in host memory, dense or sparse, float64: what is to be factorised. One that is not square is the upper left
// part of a square one, which is zero elsewhere: it is held, decomposed and fitted so.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace chord {

struct MatrixShape {
  std::int64_t rows, columns;
  /// Of the square one.
  std::int64_t n() const { return rows > columns ? rows : columns; }
  bool square() const { return rows == columns; }
  bool operator==(const MatrixShape&) const = default;
};

/// Throws unless a matrix of these extents has something in it, and no extent is beyond 32 bits.
MatrixShape checked_shape(std::int64_t rows, std::int64_t columns);

struct DenseMatrix {
  /// Zeros. Throws where there is no memory for them.
  explicit DenseMatrix(std::int64_t n) : DenseMatrix(MatrixShape{n, n}) {}
  explicit DenseMatrix(MatrixShape shape);
  /// n² values.
  DenseMatrix(std::int64_t n, std::vector<double> values) : n(n), shape{n, n}, values(std::move(values)) {}
  /// rows · columns values, row by row, or column by column.
  DenseMatrix(MatrixShape shape, const std::vector<double>& given, bool by_columns = false);
  void transpose();

  std::int64_t n;
  MatrixShape shape;
  std::vector<double> values;  ///< n², row by row
};

struct SparseMatrix {
  struct Entry {
    std::int32_t row, column;  ///< from 0, below n
    double value;
  };
  /// Entries in any order; those at one place are summed.
  SparseMatrix(std::int64_t n, std::vector<Entry> entries) : SparseMatrix(MatrixShape{n, n}, std::move(entries)) {}
  SparseMatrix(MatrixShape shape, std::vector<Entry> entries);
  /// 0 where nothing is stored.
  double at(std::int64_t row, std::int64_t column) const;

  std::int64_t n;
  MatrixShape shape;
  std::vector<std::int64_t> row_starts;  ///< n + 1 of them
  std::vector<std::int32_t> columns;     ///< ascending in each row
  std::vector<double> values;
};

/// Either of them, all values finite, and what is often asked about it.
class Matrix {
 public:
  using Values = std::variant<DenseMatrix, SparseMatrix>;
  /// `format`: what it was read from. Throws at the first value that is not finite.
  explicit Matrix(Values values, std::string format = "memory");

  /// Null where it is the other.
  const DenseMatrix* dense() const { return std::get_if<DenseMatrix>(&values_); }
  const SparseMatrix* sparse() const { return std::get_if<SparseMatrix>(&values_); }

  const MatrixShape& shape() const { return shape_; }
  std::int64_t n() const { return shape_.n(); }
  std::int64_t stored() const { return stored_; }  ///< numbers held, zeros among them
  std::int64_t nonzeros() const { return nonzeros_; }
  bool symmetric() const { return symmetric_; }
  double norm() const { return norm_; }  ///< Frobenius
  const std::string& format() const { return format_; }

  /// n² values, row by row.
  void to_dense(double* out) const;
  /// The values of one, as many as there are columns.
  void row(std::int64_t number, double* out) const;

 private:
  Values values_;
  std::string format_;
  MatrixShape shape_;
  std::int64_t stored_, nonzeros_;
  bool symmetric_;
  double norm_;
};

}  // namespace chord
