// What X̂ may be: which expression of the stored factors it is, and which weights they may have.
#pragma once

#include <cstdint>
#include <string>

#include "common/error.hpp"
#include "kernels/list.hpp"

namespace chord {

/// The values of CHORD_CONSTRAINT_… in chord.h.
enum class Constraint : std::int32_t { none = 0, nonnegative = 1, stochastic = 2, symmetric = 3, semidefinite = 4 };

struct ConstraintTraits {
  const char* name;
  const char* meaning;
  std::int32_t form;     ///< of X̂; kernels/walk.hpp
  std::int32_t weights;  ///< their parameters; kernels/fit.hpp
};

inline constexpr ConstraintTraits constraint_traits[] = {
    {"none", "any X̂ = P", kernels::form_product, kernels::weights_free},
    {"nonnegative", "X̂ = P, no weight below 0", kernels::form_product, kernels::weights_squares},
    {"stochastic", "X̂ = P, no weight below 0, rows sum to 1", kernels::form_product, kernels::weights_distributions},
    {"symmetric", "X̂ = ½(P + Pᵀ)", kernels::form_symmetric, kernels::weights_free},
    {"semidefinite", "X̂ = P Pᵀ: symmetric, no eigenvalue below 0", kernels::form_semidefinite, kernels::weights_free},
};

inline const ConstraintTraits& traits(Constraint constraint) { return constraint_traits[int(constraint)]; }

inline Constraint checked_constraint(std::int32_t value) {
  if (value < 0 || value >= std::int32_t(std::size(constraint_traits)))
    fail(Status::invalid_argument, "constraint is ", value, "; expected 0 to ", std::size(constraint_traits) - 1);
  return Constraint(value);
}

/// How many factors multiply to X̂, per stored factor.
inline std::int64_t uses_of_factor(Constraint constraint) { return constraint == Constraint::semidefinite ? 2 : 1; }

}  // namespace chord
