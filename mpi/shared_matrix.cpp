#include "mpi/shared_matrix.hpp"

#include <exception>
#include <vector>

#include "mpi/agreement.hpp"
#include "mpi/pieces.hpp"

namespace parallel {
namespace {

struct Entries {
  std::vector<std::int64_t> rows, columns;
  std::vector<double> values;

  void resize(std::size_t count) {
    rows.resize(count);
    columns.resize(count);
    values.resize(count);
  }
};

/// Those of some columns. Row by row, which takes less than one evaluation of a fit.
Entries entries_of(const chord_matrix* matrix, const MatrixShare& share, const Range& wanted) {
  Entries entries;
  std::vector<double> row(static_cast<std::size_t>(share.columns));
  for (std::int64_t i = 0; i < share.rows; ++i) {
    chord::check(chord_matrix_rows(matrix, &i, 1, row.data()));
    for (std::int64_t j = wanted.first; j < wanted.first + wanted.count; ++j) {
      if (row[std::size_t(j)] == 0) continue;
      entries.rows.push_back(i);
      entries.columns.push_back(j);
      entries.values.push_back(row[std::size_t(j)]);
    }
  }
  return entries;
}

/// The columns that a rank is given.
Range columns_for(const MatrixShare& share, int ranks, int rank) {
  if (!share.by_columns) return {0, share.columns};
  return Pieces{share.columns, share.pieces, ranks}.share(rank);
}

/// To one rank after the other, so that there is one's on the way at a time.
void send_entries(Peers& peers, const chord_matrix* matrix, const MatrixShare& share) {
  std::exception_ptr failure;
  for (int rank = 1; rank < peers.size(); ++rank) {
    Entries entries;
    try {
      if (!failure) entries = entries_of(matrix, share, columns_for(share, peers.size(), rank));
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
    const std::size_t count = entries.values.size();
    peers.send(rank, &count, sizeof count);
    peers.flush();
    char ready = 0;
    peers.receive(rank, &ready, sizeof ready);
    if (!ready) continue;
    peers.send(rank, entries.rows.data(), count * sizeof(std::int64_t));
    peers.send(rank, entries.columns.data(), count * sizeof(std::int64_t));
    peers.send(rank, entries.values.data(), count * sizeof(double));
    peers.flush();
  }
  expect_success(peers, failure);
}

OwnedMatrix receive_entries(Peers& peers, const MatrixShare& share) {
  std::size_t count = 0;
  peers.receive(0, &count, sizeof count);
  Entries entries;
  std::exception_ptr failure;
  try {
    entries.resize(count);
  } catch (const std::exception&) {
    failure = std::current_exception();
  }
  const char ready = failure ? 0 : 1;
  peers.send(0, &ready, sizeof ready);
  peers.flush();
  if (ready) {
    peers.receive(0, entries.rows.data(), count * sizeof(std::int64_t));
    peers.receive(0, entries.columns.data(), count * sizeof(std::int64_t));
    peers.receive(0, entries.values.data(), count * sizeof(double));
  }
  OwnedMatrix matrix;
  together(peers, [&] {
    if (failure) std::rethrow_exception(failure);
    chord_matrix* made = nullptr;
    chord::check(chord_matrix_create_sparse_rectangle(share.rows, share.columns, std::int64_t(count),
                                                      entries.rows.data(), entries.columns.data(),
                                                      entries.values.data(), &made));
    matrix.reset(made);
  });
  return matrix;
}

void send_values(Peers& peers, const chord_matrix* matrix, const MatrixShare& share) {
  std::vector<double> values;
  together(peers, [&] {
    values.resize(std::size_t(share.rows * share.columns));
    chord::check(chord_matrix_to_dense(matrix, values.data(), values.size() * sizeof(double)));
  });
  peers.broadcast(values.data(), values.size() * sizeof(double));
  expect_success(peers, nullptr);
}

OwnedMatrix receive_values(Peers& peers, const MatrixShare& share) {
  std::vector<double> values;
  together(peers, [&] { values.resize(std::size_t(share.rows * share.columns)); });
  peers.broadcast(values.data(), values.size() * sizeof(double));
  OwnedMatrix matrix;
  together(peers, [&] {
    chord_matrix* made = nullptr;
    chord::check(chord_matrix_create_rectangle(share.rows, share.columns, values.data(), &made));
    matrix.reset(made);
  });
  return matrix;
}

}  // namespace

void send_matrix(Peers& peers, const chord_matrix* matrix, const MatrixShare& share) {
  if (peers.size() == 1) return;
  share.by_columns || share.sparse ? send_entries(peers, matrix, share) : send_values(peers, matrix, share);
}

OwnedMatrix receive_matrix(Peers& peers, const MatrixShare& share) {
  return share.by_columns || share.sparse ? receive_entries(peers, share) : receive_values(peers, share);
}

}  // namespace parallel
