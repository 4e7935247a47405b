// Single entries, at any places.
#pragma once

#include "factorize/part.hpp"
#include "matrix/matrix.hpp"

namespace chord {

class SingleEntries : public Part {
 public:
  SingleEntries(const std::shared_ptr<Context>& context, DataType type, MatrixShape shape,
                const std::vector<SparseMatrix::Entry>& entries);

  PartSize size() const override { return {PartKind::entries, rows_.elements(), 2 * rows_.elements()}; }
  std::vector<NamedPartTensor> tensors() const override;
  void add(const Tensor& v, const Tensor& z, bool transposed) const override;

 private:
  /// On the device, by rows: nothing is scattered, so that every sum has one order.
  struct ByRows {
    Tensor starts, columns, values;
  };
  static ByRows by_rows(const std::shared_ptr<Context>& context, DataType type, const SparseMatrix& matrix);

  ByRows plain_, transposed_;
  Tensor rows_;  // of the plain one's entries
};

}  // namespace chord
