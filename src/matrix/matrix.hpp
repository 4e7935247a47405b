// Square matrices in host memory, dense or sparse, float64: what is to be factorised.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace chord {

/// Throws unless a matrix of these extents is square and has something in it.
void expect_square(std::int64_t rows, std::int64_t columns);

struct DenseMatrix {
  /// Zeros. Throws where there is no memory for them.
  explicit DenseMatrix(std::int64_t n);
  /// n² values.
  DenseMatrix(std::int64_t n, std::vector<double> values) : n(n), values(std::move(values)) {}
  void transpose();

  std::int64_t n;
  std::vector<double> values;  ///< row by row
};

struct SparseMatrix {
  struct Entry {
    std::int32_t row, column;  ///< from 0, below n
    double value;
  };
  /// Entries in any order; those at one place are summed.
  SparseMatrix(std::int64_t n, std::vector<Entry> entries);
  /// 0 where nothing is stored.
  double at(std::int64_t row, std::int64_t column) const;

  std::int64_t n;
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

  std::int64_t n() const { return n_; }
  std::int64_t stored() const { return stored_; }  ///< numbers held, zeros among them
  std::int64_t nonzeros() const { return nonzeros_; }
  bool symmetric() const { return symmetric_; }
  double norm() const { return norm_; }  ///< Frobenius
  const std::string& format() const { return format_; }

  /// n² values, row by row.
  void to_dense(double* out) const;
  /// The n values of one.
  void row(std::int64_t number, double* out) const;

 private:
  Values values_;
  std::string format_;
  std::int64_t n_, stored_, nonzeros_;
  bool symmetric_;
  double norm_;
};

}  // namespace chord
