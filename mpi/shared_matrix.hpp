// A matrix that rank 0 has, on its way to the others: all of it, or to each the columns of its pieces alone, so that
// what a rank has falls with their number.
#pragma once

#include <chord/chord.hpp>
#include <memory>

#include "mpi/peers.hpp"

namespace parallel {

struct DestroyMatrix {
  void operator()(chord_matrix* matrix) const { chord_matrix_destroy(matrix); }
};
using OwnedMatrix = std::unique_ptr<chord_matrix, DestroyMatrix>;

struct MatrixShare {
  std::int64_t rows, columns, pieces;
  bool by_columns;
  bool sparse;  ///< as rank 0 has it
};

/// At rank 0, while the others receive. Where one fails, all do.
void send_matrix(Peers& peers, const chord_matrix* matrix, const MatrixShare& share);
/// At the others. Columns come as a sparse matrix, whatever the whole one is.
OwnedMatrix receive_matrix(Peers& peers, const MatrixShare& share);

}  // namespace parallel
