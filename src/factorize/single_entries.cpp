#include "factorize/single_entries.hpp"

#include "device/launch.hpp"
#include "operations/copy.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

std::vector<SparseMatrix::Entry> exchanged(std::vector<SparseMatrix::Entry> entries) {
  for (SparseMatrix::Entry& entry : entries) std::swap(entry.row, entry.column);
  return entries;
}

template <class Number>
Tensor upload(const std::shared_ptr<Context>& context, DataType type, const std::vector<Number>& values) {
  const Tensor tensor = Tensor::create(context, type, {std::int64_t(values.size())});
  copy_from_host(values.data(), tensor);
  return tensor;
}

}  // namespace

SingleEntries::ByRows SingleEntries::by_rows(const std::shared_ptr<Context>& context, DataType type,
                                             const SparseMatrix& matrix) {
  const Tensor values = Tensor::create(context, type, {std::int64_t(matrix.values.size())});
  copy_from_host(matrix.values, values);
  return {upload(context, DataType::int64, matrix.row_starts), upload(context, DataType::int32, matrix.columns),
          values};
}

SingleEntries::SingleEntries(const std::shared_ptr<Context>& context, DataType type, MatrixShape shape,
                             const std::vector<SparseMatrix::Entry>& entries) {
  const SparseMatrix matrix(shape, entries);
  plain_ = by_rows(context, type, matrix);
  transposed_ = by_rows(context, type, SparseMatrix({shape.columns, shape.rows}, exchanged(entries)));
  std::vector<std::int32_t> rows;
  for (std::int64_t row = 0; row < shape.rows; ++row)
    rows.insert(rows.end(), std::size_t(matrix.row_starts[row + 1] - matrix.row_starts[row]), std::int32_t(row));
  rows_ = upload(context, DataType::int32, rows);
}

std::vector<NamedPartTensor> SingleEntries::tensors() const {
  return {{"entry_rows", rows_}, {"entry_columns", plain_.columns}, {"entry_values", plain_.values}};
}

void SingleEntries::add(const Tensor& v, const Tensor& z, bool transposed) const {
  const ByRows& entries = transposed ? transposed_ : plain_;
  const BatchShape shape = batch_shape("z", z);
  with_type(entries.values.type, [&](auto zero) {
    using T = decltype(zero);
    launch<kernels::add_entries, T>(*z.context().submit(), {.v = view_of<const T>(v),
                                                            .z = view_of<T>(z),
                                                            .starts = entries.starts.data<std::int64_t>(),
                                                            .columns = entries.columns.data<std::int32_t>(),
                                                            .values = entries.values.data<T>(),
                                                            .sequences = shape.sequences,
                                                            .rows = shape.rows,
                                                            .width = shape.columns,
                                                            .entries = entries.values.elements()});
  });
}

}  // namespace chord
