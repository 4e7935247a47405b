// A sparse matrix as an operator, on a device.
#pragma once

#include "factorize/single_entries.hpp"
#include "matrix/operator.hpp"

namespace chord {

class SparseOperator : public Operator {
 public:
  SparseOperator(const std::shared_ptr<Context>& context, const SparseMatrix& matrix);

  std::int64_t n() const override { return n_; }
  void apply(const double* in, double* out, std::int64_t columns, bool transposed) const override;

 private:
  std::int64_t n_;
  std::shared_ptr<Context> context_;
  SingleEntries entries_;
};

}  // namespace chord
