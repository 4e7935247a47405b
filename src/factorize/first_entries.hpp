// Where single entries begin: those that stand out of X, found in turn with the low rank that stands beside them
// (GoDec: Zhou and Tao, 2011). A decomposition of X itself would spend its columns on them.
#pragma once

#include "factorize/leftover.hpp"
#include "matrix/matrix.hpp"

namespace chord {

struct FirstEntries {
  std::vector<SparseMatrix::Entry> entries;  ///< as X is scaled
  Matrix rest;                               ///< X / scale without them
};

/// For splits that have entries, all of them as many.
FirstEntries first_entries(const Splits& splits, double scale);

}  // namespace chord
