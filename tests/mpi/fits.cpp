// Factorisations that ranks share, against chord_factorize: the errors after a few iterations, and that all ranks have
// the same result. Prints a checksum of its bits, which is the same for any number of ranks.
#include <chord/chord_mpi.h>
#include <mpi.h>

#include <chord/chord.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

int rank, mistakes;
constexpr int64_t n = 37, pieces = 8;

void mpi(chord_status status) {
  if (status == CHORD_SUCCESS) return;
  std::fprintf(stderr, "rank %d: %s\n", rank, chord_mpi_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

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

uint64_t checksum(const std::vector<char>& bytes) {
  uint64_t sum = 1469598103934665603U;
  for (const char byte : bytes) sum = (sum ^ uint64_t(static_cast<unsigned char>(byte))) * 1099511628211U;
  return sum;
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
  const chord::Tensor weights = shared.weights();
  std::vector<char> bytes(weights.info().bytes);
  chord::check(chord_tensor_to_host(weights.get(), bytes.data(), bytes.size()));
  const uint64_t own = checksum(bytes);
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
  const auto told = [&](int64_t cut, const chord_matrix* given, const char* message) {
    const chord_status status =
        chord_mpi_factorize(MPI_Comm_c2f(MPI_COMM_WORLD), context.get(), pattern.get(), given, nullptr, cut, &found);
    const char* const expected = rank == 0 ? message : "rank 0 has failed";
    if (status != CHORD_SUCCESS && std::strstr(chord_mpi_last_error(), expected)) return;
    std::fprintf(stderr, "rank %d: status %d, '%s'; expected '%s'\n", rank, status, chord_mpi_last_error(), expected);
    ++mistakes;
  };
  told(1, matrix.get(), "pieces is 1; expected 2");
  told(8, nullptr, "matrix");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    chord::Context context(argc > 1 ? argv[1] : "host");
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
  }
  MPI_Finalize();
  return mistakes != 0;
}
