// Factorisations that ranks share, against chord_factorize: the errors after a few iterations, and that all ranks have
// the same result. Prints checksums of their bits, which are the same for any number of ranks.
#include <cmath>
#include <cstdlib>
#include <new>
#include <set>

#include "support.hpp"

namespace {

/// Blocks of memory, but small ones, that the library may still have; the next is refused, once.
int64_t blocks_left = -1;

void* allocate(std::size_t bytes) {
  constexpr std::size_t large_bytes = 1024;
  if (bytes >= large_bytes && blocks_left >= 0 && blocks_left-- == 0) throw std::bad_alloc();
  if (void* const block = std::malloc(bytes)) return block;
  throw std::bad_alloc();
}

}  // namespace

// What the library finds before the system's.
void* operator new(std::size_t bytes) { return allocate(bytes); }
// Who asks so can do without.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return std::malloc(bytes); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace {

constexpr int64_t pieces = 8;
// Of the first, ranks share the starts of the race, of the second, its columns.
constexpr int64_t small = 37, large = 131;

std::vector<double> values(int64_t n) {
  std::vector<double> all(std::size_t(n * n), 0.0);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if ((i * 7 + j * 3) % 5 != 0) all[std::size_t(i * n + j)] = std::sin(double(i * j)) + double(i + j) / double(n);
  return all;
}

chord::Matrix matrix_of(int64_t n, bool sparse) {
  const std::vector<double> all = values(n);
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

struct Case {
  const char* name;
  int64_t n;
  chord_constraint constraint;
  bool sparse;
  int32_t precision;
  int64_t iterations, restarts, rank, entries;
};

constexpr chord_constraint none = CHORD_CONSTRAINT_NONE;

const Case cases[] = {
    {"columns", large, none, false, 64, 12, 2, 0, 0},
    {"columns of entries, 32 bits", large, CHORD_CONSTRAINT_SYMMETRIC, true, 32, 12, 2, 0, 0},
    {"columns of entries, semidefinite", large, CHORD_CONSTRAINT_SEMIDEFINITE, true, 64, 12, 2, 0, 0},
    {"starts", small, none, false, 64, 24, 5, 0, 0},
    {"starts, 32 bits", small, none, false, 32, 24, 5, 0, 0},
    {"starts, fewer iterations than they", small, none, true, 64, 3, 5, 0, 0},
    {"starts, nonnegative", small, CHORD_CONSTRAINT_NONNEGATIVE, true, 64, 24, 5, 0, 0},
    {"starts, semidefinite", small, CHORD_CONSTRAINT_SEMIDEFINITE, true, 64, 24, 5, 0, 0},
    {"a low rank", small, none, false, 64, 24, 5, 2, 0},
    {"a low rank, symmetric", small, CHORD_CONSTRAINT_SYMMETRIC, false, 64, 24, 3, 2, 0},
    {"a low rank and entries", small, none, false, 64, 24, 3, 2, 7},
    {"a low rank, large", large, none, false, 64, 6, 2, 3, 0},
};

/// Of all that was found.
uint64_t checksum_of(chord::Context& context, const chord::Factorization& found) {
  const chord_factorization_info info = found.info();
  chord::Tensor dense = info.precision == 32 ? chord::Tensor::empty<float>(context, {info.n, info.n})
                                             : chord::Tensor::empty<double>(context, {info.n, info.n});
  found.dense(dense);
  const uint64_t about = checksum({double(info.iterations), double(info.stop), info.error});
  return checksum(numbers_of(dense), checksum(numbers_of(found.weights()), about));
}

uint64_t run(chord::Context& context, const Case& each) {
  const auto pattern = chord::Pattern::chord(context, each.n);
  const chord::Matrix matrix = matrix_of(each.n, each.sparse);
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  options.constraint = each.constraint;
  options.precision = each.precision;
  options.iterations = each.iterations;
  options.restarts = int32_t(each.restarts);
  options.rank = each.rank;
  options.entries = each.entries;
  std::set<int32_t> seen;  // starts that this rank has fitted, or that won
  options.callback = [](const chord_factorize_progress* progress, void* user) {
    static_cast<std::set<int32_t>*>(user)->insert(progress->start);
    return int32_t(0);
  };
  options.user = &seen;
  options.callback_seconds = 1e-9;
  chord_factorization* found = nullptr;
  const bool leads = rank == 0;
  mpi(chord_mpi_factorize(MPI_Comm_c2f(MPI_COMM_WORLD), context.get(), leads ? pattern.get() : nullptr,
                          leads ? matrix.get() : nullptr, leads ? &options : nullptr, pieces, &found));
  const chord::Factorization shared(found);
  // Of five starts, the first of four ranks has at most two in the first round, and one in the others.
  const bool by_columns = each.n == large && each.rank == 0, all = int64_t(seen.size()) == each.restarts;
  if (leads && (by_columns || ranks == 1 ? !all : all && ranks == 4 && each.restarts == 5)) {
    std::fprintf(stderr, "%s: rank 0 has fitted %zu of %lld starts\n", each.name, seen.size(),
                 (long long)each.restarts);
    ++mistakes;
  }
  const double alone = chord::Factorization::fit(pattern, matrix, options).info().error;
  if (const double error = shared.info().error;
      !(std::abs(error - alone) <= (each.precision == 32 ? 2e-3 : 1e-6) * alone)) {
    std::fprintf(stderr, "rank %d: %s: the error is %.17g; chord_factorize has %.17g\n", rank, each.name, error, alone);
    ++mistakes;
  }
  const uint64_t own = checksum_of(context, shared);
  uint64_t first = own;
  MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (own != first) {
    std::fprintf(stderr, "rank %d: %s: another result than rank 0's\n", rank, each.name);
    ++mistakes;
  }
  return own;
}

void expect_mistakes(chord::Context& context) {
  const auto pattern = chord::Pattern::chord(context, small);
  const chord::Matrix matrix = matrix_of(small, false);
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

/// How many blocks the last rank has had, of those that it may have.
int64_t fit_with_blocks(chord::Context& context, int64_t n, int64_t most) {
  const auto pattern = chord::Pattern::chord(context, n);
  const chord::Matrix matrix = matrix_of(n, false);
  chord_factorize_options options = CHORD_FACTORIZE_OPTIONS_INIT;
  options.iterations = 20;
  options.restarts = 3;
  const bool leads = rank == 0, refused = rank == ranks - 1;
  chord_factorization* found = nullptr;
  if (refused) blocks_left = most;
  const chord_status status =
      chord_mpi_factorize(MPI_Comm_c2f(MPI_COMM_WORLD), context.get(), leads ? pattern.get() : nullptr,
                          leads ? matrix.get() : nullptr, leads ? &options : nullptr, pieces, &found);
  int64_t had = most - blocks_left;
  blocks_left = -1;
  MPI_Bcast(&had, 1, MPI_INT64_T, ranks - 1, MPI_COMM_WORLD);
  if (had <= most)
    mpi(status);
  else if (refused)
    expect_told(status, CHORD_ERROR_OUT_OF_MEMORY, "");
  else
    expect_told(status, CHORD_ERROR_MPI, "has failed: ");
  chord_factorization_destroy(found);
  return had;
}

/// A rank that has no memory, wherever it is in the fit, fails alone: the others are told, nobody waits for ever, and
/// the next fit is as if nothing had been.
void expect_told_of_failures(chord::Context& context) {
  constexpr int64_t unlimited = int64_t(1) << 40, tries = 25;
  for (const int64_t n : {small, large}) {
    const int64_t blocks = fit_with_blocks(context, n, unlimited);
    for (int64_t i = 0; i < tries; ++i) fit_with_blocks(context, n, blocks * i / tries);
    fit_with_blocks(context, n, unlimited);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_test(argc, argv, [](chord::Context& context) {
    for (const Case& each : cases) {
      const uint64_t sum = run(context, each);
      if (rank == 0) std::printf("%s: %016llx\n", each.name, (unsigned long long)sum);
    }
    if (ranks == 2) expect_mistakes(context);
    if (ranks == 2 || ranks == 4) expect_told_of_failures(context);
  });
}
