#include "factorize/sparse_operator.hpp"

#include "operations/copy.hpp"

namespace chord {
namespace {

std::vector<SparseMatrix::Entry> all_entries(const SparseMatrix& matrix) {
  std::vector<SparseMatrix::Entry> entries;
  entries.reserve(matrix.values.size());
  for (std::int64_t row = 0; row < matrix.n; ++row)
    for (std::int64_t k = matrix.row_starts[row]; k < matrix.row_starts[row + 1]; ++k)
      entries.push_back({std::int32_t(row), matrix.columns[k], matrix.values[k]});
  return entries;
}

}  // namespace

SparseOperator::SparseOperator(const std::shared_ptr<Context>& context, const SparseMatrix& matrix)
    : n_(matrix.n), context_(context), entries_(context, DataType::float64, matrix.shape, all_entries(matrix)) {}

void SparseOperator::apply(const double* in, double* out, std::int64_t columns, bool transposed) const {
  const Tensor v = Tensor::create(context_, DataType::float64, {n_, columns});
  const Tensor z = Tensor::create(context_, DataType::float64, {n_, columns});
  copy_from_host(in, v);
  fill(z, 0);
  entries_.add(v, z, transposed);
  copy_to_host(z, out);
}

}  // namespace chord
