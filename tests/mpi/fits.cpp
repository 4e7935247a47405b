// Factorisations that ranks share, against chord_factorize: the errors after a few iterations, and that all ranks have
// the same result. Prints a checksum of its bits, which is the same for any number of ranks.
#include <cmath>

#include "support.hpp"

namespace {

constexpr int64_t n = 37, pieces = 8;

std::vector<double> values() {
  std::vector<double> all(std::size_t(n * n), 0.0);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if ((i * 7 + j * 3) % 5 != 0) all[std::size_t(i * n + j)] = std::sin(double(i * j)) + double(i + j) / double(n);
  return all;
}

chord::Matrix matrix_of(bool sparse) {
  const std::vector<double> all = values();
  if (!sparse) return chord::Matrix::dense(n, all);
  std::vector<int64_t> rows, columns;
  std::vector<double> entries;
  for (int64_t i = 0; i < n * n; ++i)
    if (all[std::size_t(i)] != 0) {
      rows.push_back(i / n);
      columns.push_back(i % n);
      entries.push_back(all[std::size_t(i)]);
    }
  return chord::Matrix::sparse(n, rows, columns, entries);
}

uint64_t run(chord::Context& context, chord_constraint constraint, bool sparse, int32_t precision, int64_t low_rank) {
  const auto pattern = chord::Pattern::chord(context, n);
  const chord::Matrix matrix = matrix_of(sparse);
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  options.constraint = constraint;
  options.precision = precision;
  options.iterations = 24;
  options.restarts = 2;
  options.rank = low_rank;
  chord_factorization* found = nullptr;
  const bool leads = rank == 0;
  mpi(chord_mpi_factorize(MPI_Comm_c2f(MPI_COMM_WORLD), context.get(), leads ? pattern.get() : nullptr,
                          leads ? matrix.get() : nullptr, leads ? &options : nullptr, pieces, &found));
  const chord::Factorization shared(found);
  const double alone = chord::Factorization::fit(pattern, matrix, options).info().error;
  if (const double error = shared.info().error; !(std::abs(error - alone) <= (precision == 32 ? 2e-3 : 1e-6) * alone)) {
    std::fprintf(stderr, "rank %d: constraint %d: the error is %.17g; chord_factorize has %.17g\n", rank, constraint,
                 error, alone);
    ++mistakes;
  }
  const uint64_t own = checksum(numbers_of(shared.weights()));
  uint64_t first = own;
  MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (own != first) {
    std::fprintf(stderr, "rank %d has another result than rank 0\n", rank);
    ++mistakes;
  }
  return own;
}

void expect_mistakes(chord::Context& context) {
  const auto pattern = chord::Pattern::chord(context, n);
  const chord::Matrix matrix = matrix_of(false);
  chord_factorization* found = nullptr;
  const auto told = [&](int64_t cut, const chord_matrix* given, chord_status wanted, const char* message) {
    const chord_status status =
        chord_mpi_factorize(MPI_Comm_c2f(MPI_COMM_WORLD), context.get(), pattern.get(), given, nullptr, cut, &found);
    if (rank == 0)
      expect_told(status, wanted, message);
    else
      expect_told(status, CHORD_ERROR_MPI, "rank 0 has failed");
  };
  told(1, matrix.get(), CHORD_ERROR_INVALID_ARGUMENT, "pieces is 1; expected 2");
  told(8, nullptr, CHORD_ERROR_INVALID_HANDLE, "matrix");
}

}  // namespace

int main(int argc, char** argv) {
  return run_test(argc, argv, [](chord::Context& context) {
    for (const chord_constraint constraint : {CHORD_CONSTRAINT_NONE, CHORD_CONSTRAINT_NONNEGATIVE,
                                              CHORD_CONSTRAINT_SYMMETRIC, CHORD_CONSTRAINT_SEMIDEFINITE})
      for (const bool sparse : {false, true}) {
        const uint64_t sum = run(context, constraint, sparse, 64, 0);
        if (rank == 0) std::printf("constraint %d, %d: %016llx\n", constraint, sparse, (unsigned long long)sum);
      }
    const uint64_t sum = run(context, CHORD_CONSTRAINT_NONE, false, 32, 0);
    if (rank == 0) std::printf("32 bits: %016llx\n", (unsigned long long)sum);
    // LAPACK, where a low rank begins, has other last bits from run to run: ranks agree about one's.
    run(context, CHORD_CONSTRAINT_NONE, false, 64, 2);
    if (ranks == 2) expect_mistakes(context);
  });
}
