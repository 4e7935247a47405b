#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <limits>

#include "support.hpp"

using namespace testing;
using chord::Matrix;

namespace {

/// A file of this content, while this lives.
class File {
 public:
  explicit File(const std::string& content) {
    const int file = mkstemp(path_);
    REQUIRE(file >= 0);
    close(file);
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~File() { std::remove(path_); }
  const char* path() const { return path_; }

 private:
  char path_[32] = "/tmp/chord-matrix-XXXXXX";
};

const double infinity = std::numeric_limits<double>::infinity(),
             not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a dense matrix keeps its values and knows about them") {
  const Values values = {1, 2, 2, 0};
  const Matrix matrix = Matrix::dense(2, values);
  CHECK(matrix.to_dense() == values);
  const chord_matrix_info info = matrix.info();
  CHECK(info.n == 2);
  CHECK(info.stored == 4);
  CHECK(info.nonzeros == 3);
  CHECK(info.sparse == 0);
  CHECK(info.symmetric == 1);
  CHECK(info.norm == 3);
  CHECK(std::string(info.format) == "memory");
}

TEST_CASE("a sparse matrix sums repeated entries, in any order") {
  const Matrix matrix = Matrix::sparse(3, {2, 0, 2, 1}, {0, 1, 0, 1}, {1, 5, 2, 0});
  CHECK(matrix.to_dense() == Values{0, 5, 0, 0, 0, 0, 3, 0, 0});
  const chord_matrix_info info = matrix.info();
  CHECK(info.n == 3);
  CHECK(info.stored == 3);
  CHECK(info.nonzeros == 2);
  CHECK(info.sparse == 1);
  CHECK(info.symmetric == 0);
  CHECK(info.norm == doctest::Approx(std::sqrt(34.0)));
  CHECK(Matrix::sparse(2, {}, {}, {}).to_dense() == Values{0, 0, 0, 0});
}

TEST_CASE("a matrix is read from a file") {
  const File file("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 3\n2 1 4\n");
  const Matrix matrix = Matrix::read(file.path());
  CHECK(matrix.to_dense() == Values{3, 4, 4, 0});
  CHECK(matrix.info().sparse == 1);
  CHECK(matrix.info().symmetric == 1);
  CHECK(std::string(matrix.info().format) == "matrix-market");
}

TEST_CASE("files that are missing or wrong have statuses of their own") {
  chord_matrix* out = nullptr;
  expect(chord_matrix_read("/nowhere/at all", &out), CHORD_ERROR_IO_FAILURE,
         "/nowhere/at all: cannot open: No such file or directory");
  expect(chord_matrix_read("/tmp", &out), CHORD_ERROR_IO_FAILURE, "/tmp: is a directory");
  const File file("%%MatrixMarket matrix array real symmetric\n2 3\n");
  expect(chord_matrix_read(file.path(), &out), CHORD_ERROR_INVALID_FILE, "2 × 3; a square matrix is expected");
  expect(chord_matrix_read(nullptr, &out), CHORD_ERROR_INVALID_ARGUMENT, "path is NULL");
  expect(chord_matrix_read(file.path(), nullptr), CHORD_ERROR_INVALID_ARGUMENT, "matrix is NULL");
  CHECK(out == nullptr);
}

TEST_CASE("values and places that make no sense are refused") {
  chord_matrix* out = nullptr;
  const double one = 1, bad[] = {1, 2, not_a_number, 4}, large[] = {1e308, 1e308};
  const int64_t zero = 0, two = 2, minus = -1, zeros[] = {0, 0}, far = int64_t(1) << 32;
  expect(chord_matrix_create_dense(2, bad, &out), CHORD_ERROR_INVALID_ARGUMENT,
         "row 1, column 0 (counted from 0) is nan");
  expect(chord_matrix_create_dense(0, &one, &out), CHORD_ERROR_INVALID_ARGUMENT, "n is 0; expected 1 or more");
  expect(chord_matrix_create_dense(-1, &one, &out), CHORD_ERROR_INVALID_ARGUMENT, "n is -1");
  expect(chord_matrix_create_dense(int64_t(1) << 40, &one, &out), CHORD_ERROR_TOO_LARGE, "at most 2147483647");
  expect(chord_matrix_create_dense(2147483647, &one, &out), CHORD_ERROR_TOO_LARGE, "overflows");
  expect(chord_matrix_create_dense(10000000, &one, &out), CHORD_ERROR_OUT_OF_MEMORY, "800000000000000 bytes asked for");
  expect(chord_matrix_create_dense(1, nullptr, &out), CHORD_ERROR_INVALID_ARGUMENT, "values is NULL");
  expect(chord_matrix_create_dense(1, &one, nullptr), CHORD_ERROR_INVALID_ARGUMENT, "matrix is NULL");
  expect(chord_matrix_create_sparse(2, 1, &two, &zero, &one, &out), CHORD_ERROR_INVALID_ARGUMENT,
         "entry 0 is at row 2, column 0; expected 0 to 1");
  expect(chord_matrix_create_sparse(2, 1, &zero, &minus, &one, &out), CHORD_ERROR_INVALID_ARGUMENT, "column -1");
  expect(chord_matrix_create_sparse(2, 1, &zero, &far, &one, &out), CHORD_ERROR_INVALID_ARGUMENT, "column 4294967296");
  expect(chord_matrix_create_sparse(2, 1, &zero, &zero, &infinity, &out), CHORD_ERROR_INVALID_ARGUMENT, "is inf");
  expect(chord_matrix_create_sparse(2, 2, zeros, zeros, large, &out), CHORD_ERROR_INVALID_ARGUMENT, "row 0, column 0");
  expect(chord_matrix_create_sparse(2, -1, &zero, &zero, &one, &out), CHORD_ERROR_INVALID_ARGUMENT, "count is -1");
  expect(chord_matrix_create_sparse(2, int64_t(1) << 62, &zero, &zero, &one, &out), CHORD_ERROR_TOO_LARGE, "overflows");
  expect(chord_matrix_create_sparse(2, 1, nullptr, &zero, &one, &out), CHORD_ERROR_INVALID_ARGUMENT, "rows is NULL");
  expect(chord_matrix_create_sparse(2, 1, &zero, nullptr, &one, &out), CHORD_ERROR_INVALID_ARGUMENT, "columns is NULL");
  expect(chord_matrix_create_sparse(2, 1, &zero, &zero, nullptr, &out), CHORD_ERROR_INVALID_ARGUMENT, "values is NULL");
  expect(chord_matrix_create_sparse(0, 0, nullptr, nullptr, nullptr, &out), CHORD_ERROR_INVALID_ARGUMENT, "n is 0");
  expect(chord_matrix_create_sparse(far, 0, nullptr, nullptr, nullptr, &out), CHORD_ERROR_TOO_LARGE, "n is 4294967296");
  CHECK(out == nullptr);
  CHECK_THROWS_AS(Matrix::dense(2, {1, 2, 3}), std::invalid_argument);
  CHECK_THROWS_AS(Matrix::sparse(2, {0}, {}, {1}), std::invalid_argument);
}

TEST_CASE("rows are those of the dense matrix") {
  const std::vector<double> values = {1, 0, 2, 0, 0, 0, 3, 4, 0};
  const Matrix dense = Matrix::dense(3, values), sparse = Matrix::sparse(3, {2, 0, 2, 0}, {1, 2, 0, 0}, {4, 2, 3, 1});
  for (const Matrix* matrix : {&dense, &sparse}) {
    CHECK(matrix->rows({2, 0, 2}) == std::vector<double>{3, 4, 0, 1, 0, 2, 3, 4, 0});
    CHECK(matrix->rows({0, 1, 2}) == values);
    CHECK(matrix->rows({}).empty());
    CHECK_THROWS_WITH(matrix->rows({0, 3}), doctest::Contains("indices[1] is 3; expected 0 to 2"));
    CHECK_THROWS_WITH(matrix->rows({-1}), doctest::Contains("indices[0] is -1"));
    const int64_t first = 0;
    double row[3];
    expect(chord_matrix_rows(matrix->get(), nullptr, 1, row), CHORD_ERROR_INVALID_ARGUMENT, "indices is NULL");
    expect(chord_matrix_rows(matrix->get(), &first, 1, nullptr), CHORD_ERROR_INVALID_ARGUMENT, "values is NULL");
    expect(chord_matrix_rows(matrix->get(), &first, -1, row), CHORD_ERROR_INVALID_ARGUMENT, "count is -1");
  }
}

TEST_CASE("handles and structs of matrices are checked like others") {
  const Matrix matrix = Matrix::dense(1, {7});
  chord_matrix_info info{};
  expect(chord_matrix_get_info(matrix.get(), &info), CHORD_ERROR_INVALID_ARGUMENT, "struct_size is 0");
  expect(chord_matrix_get_info(matrix.get(), nullptr), CHORD_ERROR_INVALID_ARGUMENT, "info is NULL");
  expect(chord_matrix_get_info(nullptr, &info), CHORD_ERROR_INVALID_HANDLE, "expected a matrix");
  double value = 0;
  expect(chord_matrix_to_dense(matrix.get(), &value, 4), CHORD_ERROR_INVALID_ARGUMENT,
         "bytes is 4; the matrix has 1 × 1");
  expect(chord_matrix_to_dense(matrix.get(), nullptr, 8), CHORD_ERROR_INVALID_ARGUMENT, "values is NULL");
  expect(chord_tensor_destroy(reinterpret_cast<chord_tensor*>(matrix.get())), CHORD_ERROR_INVALID_HANDLE,
         "is a matrix; expected a tensor");
  CHECK(chord_matrix_destroy(nullptr) == CHORD_SUCCESS);
  chord_matrix* gone = nullptr;
  chord::check(chord_matrix_create_dense(1, &value, &gone));
  chord::check(chord_matrix_destroy(gone));
  expect(chord_matrix_destroy(gone), CHORD_ERROR_INVALID_HANDLE, "not a live matrix");
}

TEST_CASE("a forked child may use a matrix of its parent") {
  const Context context("host");  // from now on, children are told from their parent
  const Matrix matrix = Matrix::dense(1, {7});
  const pid_t child = fork();
  if (child == 0) {
    double value = 0;
    chord_matrix* fresh = nullptr;
    const bool right = chord_matrix_to_dense(matrix.get(), &value, sizeof value) == CHORD_SUCCESS && value == 7 &&
                       chord_matrix_create_dense(1, &value, &fresh) == CHORD_SUCCESS &&
                       chord_matrix_destroy(fresh) == CHORD_SUCCESS;
    _exit(right ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
