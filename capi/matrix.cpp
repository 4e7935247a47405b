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

/// The entries of a matrix of n rows, each checked to be inside.
std::vector<SparseMatrix::Entry> entries_of(int64_t n, int64_t count, const int64_t* rows, const int64_t* columns,
                                            const double* values) {
  checked_int32(n, "n");
  expect_memory(std::size_t(checked_multiply(count, sizeof(SparseMatrix::Entry))));
  std::vector<SparseMatrix::Entry> entries(static_cast<std::size_t>(count));
  for (int64_t k = 0; k < count; ++k) {
    if (rows[k] < 0 || rows[k] >= n || columns[k] < 0 || columns[k] >= n)
      fail(Status::invalid_argument, "entry ", k, " is at row ", rows[k], ", column ", columns[k], "; expected 0 to ",
           n - 1);
    entries[k] = {static_cast<int32_t>(rows[k]), static_cast<int32_t>(columns[k]), values[k]};
  }
  return entries;
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
    if (count < 0) fail(Status::invalid_argument, "count is ", count, "; expected 0 or more");
    if (count > 0) {
      required(rows, "rows");
      required(columns, "columns");
      required(values, "values");
    }
    *matrix = make_matrix(Matrix(SparseMatrix(n, entries_of(n, count, rows, columns, values))));
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
    fill_info(info, result, "info");
  });
}

chord_status chord_matrix_to_dense(const chord_matrix* matrix, double* values, size_t bytes) {
  return guarded(__func__, [&] {
    const Matrix& value = *checked(matrix, "matrix").value;
    const int64_t expected = checked_multiply(checked_multiply(value.n(), value.n()), sizeof(double));
    if (bytes != std::size_t(expected))
      fail(Status::invalid_argument, "bytes is ", bytes, "; the matrix has ", value.n(), " × ", value.n(),
           " values, which take ", expected);
    value.to_dense(required(values, "values"));
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
      if (indices[k] < 0 || indices[k] >= value.n())
        fail(Status::invalid_argument, "indices[", k, "] is ", indices[k], "; expected 0 to ", value.n() - 1);
    for (int64_t k = 0; k < count; ++k) value.row(indices[k], values + k * value.n());
  });
}

chord_status chord_matrix_truncated_svd(const chord_matrix* matrix, int64_t rank, double* error,
                                        double* singular_values, double* approximation) {
  return guarded(__func__, [&] {
    const double distance = truncated_svd(*checked(matrix, "matrix").value, rank, singular_values, approximation);
    if (error) *error = distance;
  });
}
