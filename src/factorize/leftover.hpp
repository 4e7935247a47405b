// What parameters leave over of X, and the entries that are best beside them.
#pragma once

#include "factorize/splits.hpp"

namespace chord {

struct Leftover {
  std::vector<SparseMatrix::Entry> entries;  ///< the largest of what is left over, as many as the split has
  double value;                              ///< ½‖X − X̂‖² with them
};

/// In host memory, X divided by `scale`. The constraint is none: others have no entries.
Leftover leftover(const FitProblem& split, const std::vector<double>& parameters, double scale);

}  // namespace chord
