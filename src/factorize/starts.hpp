// Where a fit begins. Which start leads to a low error depends on the matrix, so there are several kinds.
#pragma once

#include <cstdint>
#include <vector>

#include "factorize/objective.hpp"

namespace chord {

/// How many kinds of starts there are; they take turns.
inline constexpr std::int64_t kinds_of_starts = 3;

/// Start `number` of a run: parameters of all factors, such that ‖X̂‖ is about 1.
std::vector<double> start_parameters(const FitProblem& problem, std::uint64_t seed, std::int64_t number);

/// The parameters that mean these weights.
void weights_to_parameters(Constraint constraint, std::vector<double>& values);

}  // namespace chord
