// A square matrix that is known by what it does to vectors; it is never formed.
#pragma once

#include <cstdint>

#include "matrix/lapack_memory.hpp"

namespace chord {

/// Columns in host memory, row by row.
struct Panel {
  Panel() = default;
  Panel(std::int64_t n, std::int64_t columns)
      : n(n), columns(columns), values(std::size_t(n) * std::size_t(columns), 0.0) {}

  /// Where a row begins, also in a panel without columns.
  double* row(std::int64_t index) { return values.data() + index * columns; }
  const double* row(std::int64_t index) const { return values.data() + index * columns; }
  double& at(std::int64_t row, std::int64_t column) { return values[std::size_t(row * columns + column)]; }
  double at(std::int64_t row, std::int64_t column) const { return values[std::size_t(row * columns + column)]; }

  std::int64_t n = 0, columns = 0;
  LapackVector values;
};

/// So many of a panel's columns, or all there are.
Panel leading_columns(const Panel& panel, std::int64_t count);

class Operator {
 public:
  virtual ~Operator() = default;
  virtual std::int64_t n() const = 0;
  /// out = X · in, or Xᵀ · in; both n × columns values, row by row.
  virtual void apply(const double* in, double* out, std::int64_t columns, bool transposed) const = 0;

  /// No more columns than this at once: between two panels a run looks at its clock.
  static constexpr std::int64_t widest = 64;
  /// The product with any number of columns, panel by panel.
  Panel times(const Panel& in, bool transposed) const;
};

}  // namespace chord
