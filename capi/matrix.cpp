#include "matrix/matrix.hpp"

#include "capi/handles.hpp"
#include "common/memory.hpp"
#include "common/size.hpp"
#include "io/read_matrix.hpp"
#include "matrix/truncated_svd.hpp"

using namespace chord;
using namespace chord::capi;

namespace {

chord_matrix* make_matrix(Matrix matrix) {
  return make_handle<chord_matrix>(std::make_shared<const Matrix>(std::move(matrix)));
}

/// The entries of a matrix, each checked to be inside.
std::vector<SparseMatrix::Entry> entries_of(const MatrixShape& shape, int64_t count, const int64_t* rows,
                                            const int64_t* columns, const double* values) {
  checked_int32(shape.n(), "n");
  expect_memory(std::size_t(checked_multiply(count, sizeof(SparseMatrix::Entry))));
  std::vector<SparseMatrix::Entry> entries(static_cast<std::size_t>(count));
  for (int64_t k = 0; k < count; ++k) {
    if (rows[k] < 0 || rows[k] >= shape.rows || columns[k] < 0 || columns[k] >= shape.columns)
      fail(Status::invalid_argument, "entry ", k, " is at row ", rows[k], ", column ", columns[k], "; expected 0 to ",
           shape.rows - 1, shape.square() ? "" : text(", and 0 to ", shape.columns - 1));
    entries[k] = {static_cast<int32_t>(rows[k]), static_cast<int32_t>(columns[k]), values[k]};
  }
  return entries;
}

chord_matrix* make_sparse(const MatrixShape& shape, int64_t count, const int64_t* rows, const int64_t* columns,
                          const double* values) {
  if (count < 0) fail(Status::invalid_argument, "count is ", count, "; expected 0 or more");
  if (count > 0) {
    required(rows, "rows");
    required(columns, "columns");
    required(values, "values");
  }
  return make_matrix(Matrix(SparseMatrix(shape, entries_of(shape, count, rows, columns, values))));
}

}  // namespace

chord_status chord_matrix_read(const char* path, chord_matrix** matrix) {
  return guarded(__func__, [&] {
    required(matrix, "matrix");
    *matrix = make_matrix(read_matrix(required(path, "path")));
  });
}

chord_status chord_matrix_create_dense(int64_t n, const double* values, chord_matrix** matrix) {
  return guarded(__func__, [&] {
    required(matrix, "matrix");
    required(values, "values");
    DenseMatrix dense(n);
    std::copy(values, values + n * n, dense.values.begin());
    *matrix = make_matrix(Matrix(std::move(dense)));
  });
}

chord_status chord_matrix_create_sparse(int64_t n, int64_t count, const int64_t* rows, const int64_t* columns,
                                        const double* values, chord_matrix** matrix) {
  return guarded(__func__, [&] {
    required(matrix, "matrix");
    *matrix = make_sparse({n, n}, count, rows, columns, values);
  });
}

chord_status chord_matrix_create_rectangle(int64_t rows, int64_t columns, const double* values, chord_matrix** matrix) {
  return guarded(__func__, [&] {
    required(matrix, "matrix");
    required(values, "values");
    DenseMatrix dense(checked_shape(rows, columns));
    for (int64_t row = 0; row < rows; ++row)
      std::copy_n(values + row * columns, columns, dense.values.begin() + row * dense.n);
    *matrix = make_matrix(Matrix(std::move(dense)));
  });
}

chord_status chord_matrix_create_sparse_rectangle(int64_t rows, int64_t columns, int64_t count,
                                                  const int64_t* entry_rows, const int64_t* entry_columns,
                                                  const double* values, chord_matrix** matrix) {
  return guarded(__func__, [&] {
    required(matrix, "matrix");
    *matrix = make_sparse(checked_shape(rows, columns), count, entry_rows, entry_columns, values);
  });
}

chord_status chord_matrix_destroy(chord_matrix* matrix) {
  return guarded(__func__, [&] { destroy_handle(matrix, "matrix"); });
}

chord_status chord_matrix_get_info(const chord_matrix* matrix, chord_matrix_info* info) {
  return guarded(__func__, [&] {
    const Matrix& value = *checked(matrix, "matrix").value;
    chord_matrix_info result{};
    result.n = value.n();
    result.stored = value.stored();
    result.nonzeros = value.nonzeros();
    result.sparse = value.sparse() != nullptr;
    result.symmetric = value.symmetric();
    result.norm = value.norm();
    copy_text(result.format, value.format());
    result.rows = value.shape().rows;
    result.columns = value.shape().columns;
    fill_info(info, result, "info");
  });
}

chord_status chord_matrix_to_dense(const chord_matrix* matrix, double* values, size_t bytes) {
  return guarded(__func__, [&] {
    const Matrix& value = *checked(matrix, "matrix").value;
    const MatrixShape& shape = value.shape();
    const int64_t expected = checked_multiply(checked_multiply(shape.rows, shape.columns), sizeof(double));
    if (bytes != std::size_t(expected))
      fail(Status::invalid_argument, "bytes is ", bytes, "; the matrix has ", shape.rows, " × ", shape.columns,
           " values, which take ", expected);
    required(values, "values");
    for (int64_t row = 0; row < shape.rows; ++row) value.row(row, values + row * shape.columns);
  });
}

chord_status chord_matrix_rows(const chord_matrix* matrix, const int64_t* indices, int64_t count, double* values) {
  return guarded(__func__, [&] {
    const Matrix& value = *checked(matrix, "matrix").value;
    if (count < 0) fail(Status::invalid_argument, "count is ", count, "; expected 0 or more");
    if (count == 0) return;
    required(indices, "indices");
    required(values, "values");
    for (int64_t k = 0; k < count; ++k)
      if (indices[k] < 0 || indices[k] >= value.shape().rows)
        fail(Status::invalid_argument, "indices[", k, "] is ", indices[k], "; expected 0 to ", value.shape().rows - 1);
    for (int64_t k = 0; k < count; ++k) value.row(indices[k], values + k * value.shape().columns);
  });
}

chord_status chord_matrix_truncated_svd(const chord_matrix* matrix, int64_t rank, double* error,
                                        double* singular_values, double* approximation) {
  return guarded(__func__, [&] {
    const double distance = truncated_svd(*checked(matrix, "matrix").value, rank, singular_values, approximation);
    if (error) *error = distance;
  });
}
