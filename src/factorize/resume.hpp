// Going on from a factorisation that is there.
#pragma once

#include "factorize/factorization.hpp"
#include "factorize/splits.hpp"

namespace chord {

/// Throws unless the run is of the parts that the factorisation has. From the low rank alone of an operator there is
/// nowhere to go but to other splits, which may then be several.
void check_resume(const Splits& splits, const Factorization& from);

/// Parameters of its factors and its low rank, to X divided by `scale`; the split gets its scales.
std::vector<double> resumed_parameters(FitProblem& split, const Factorization& from, double scale);

}  // namespace chord
