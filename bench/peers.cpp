// What people would use instead: a sparse matrix in CSR form times a dense one, and the dense matrix itself.
#include <algorithm>
#include <memory>

#include "work.hpp"

#ifdef CHORD_BENCH_MKL
#include <mkl.h>
#else
#include <cblas.h>
#endif

namespace {

#ifdef CHORD_BENCH_MKL

/// One factor as MKL's sparse matrix, analysed for many products.
struct SparseFactor {
  std::vector<MKL_INT> starts, columns;
  std::vector<float> values, v, z;
  sparse_matrix_t matrix = nullptr;
  matrix_descr description{SPARSE_MATRIX_TYPE_GENERAL, SPARSE_FILL_MODE_LOWER, SPARSE_DIAG_NON_UNIT};
  std::int64_t d;

  SparseFactor(std::int64_t n, std::int64_t columns_of_v)
      : v(n * columns_of_v, 0.5f), z(n * columns_of_v), d(columns_of_v) {
    const std::int64_t links = links_of(n);
    starts.push_back(0);
    for (std::int64_t i = 0; i < n; ++i) {
      std::vector<MKL_INT> row{MKL_INT(i)};
      for (std::int64_t k = 0; k + 1 < links; ++k) row.push_back(MKL_INT((i + (std::int64_t(1) << k)) % n));
      std::sort(row.begin(), row.end());
      columns.insert(columns.end(), row.begin(), row.end());
      starts.push_back(MKL_INT(columns.size()));
    }
    values.assign(columns.size(), 1.0f / float(links));
    mkl_sparse_s_create_csr(&matrix, SPARSE_INDEX_BASE_ZERO, MKL_INT(n), MKL_INT(n), starts.data(), starts.data() + 1,
                            columns.data(), values.data());
    mkl_sparse_set_mm_hint(matrix, SPARSE_OPERATION_NON_TRANSPOSE, description, SPARSE_LAYOUT_ROW_MAJOR, MKL_INT(d),
                           1000);
    mkl_sparse_optimize(matrix);
  }
  ~SparseFactor() { mkl_sparse_destroy(matrix); }
  SparseFactor(const SparseFactor&) = delete;

  void multiply() {
    mkl_sparse_s_mm(SPARSE_OPERATION_NON_TRANSPOSE, 1.0f, matrix, description, SPARSE_LAYOUT_ROW_MAJOR, v.data(),
                    MKL_INT(d), MKL_INT(d), 0.0f, z.data(), MKL_INT(d));
  }
};

constexpr const char* dense_name = "oneMKL dense";

void register_sparse(const Machine& machine, const Work& product) {
  Work work = product;
  work.runner = "oneMKL sparse";
  register_work(machine, work, [n = work.n, d = work.d] {
    auto factor = std::make_shared<SparseFactor>(n, d);
    return [=] { factor->multiply(); };
  });
}

#else

constexpr const char* dense_name = "OpenBLAS dense";

void register_sparse(const Machine&, const Work&) {}  // OpenBLAS has no sparse matrices

#endif

/// The product of all factors would be this dense matrix: what a chain is to be compared with.
void register_dense(const Machine& machine, std::int64_t n, std::int64_t d) {
  const double operations = 2.0 * double(n) * double(n) * double(d);
  const double bytes = 4.0 * double(n) * (double(n) + 2.0 * double(d));
  register_work(machine, {"dense product", dense_name, n, d, 1, operations, bytes}, [=] {
    auto matrix = std::make_shared<std::vector<float>>(n * n, 0.01f);
    auto v = std::make_shared<std::vector<float>>(n * d, 0.5f), z = std::make_shared<std::vector<float>>(n * d);
    return [=] {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(n), int(d), int(n), 1.0f, matrix->data(), int(n),
                  v->data(), int(d), 0.0f, z->data(), int(d));
    };
  });
}

}  // namespace

void register_peers(const Machine& machine) {
  for (const std::int64_t n : lengths)
    for (const std::int64_t d : widths) {
      const double links = double(links_of(n));
      register_sparse(machine, {"product", "", n, d, 1, 2.0 * double(n) * links * double(d),
                                4.0 * double(n) * (links + 2.0 * double(d))});
      if (n <= 1 << 14) register_dense(machine, n, d);
    }
}
