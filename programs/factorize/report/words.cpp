#include "words.hpp"

#include <cmath>

#include "common/text.hpp"

namespace factorize {
namespace {

using namespace program;

/// The other parts, and a plus sign.
std::string before_factors(const Result& result) {
  const bool one = result.fit.constraint == CHORD_CONSTRAINT_SEMIDEFINITE;
  const bool symmetric = result.fit.constraint == CHORD_CONSTRAINT_SYMMETRIC;
  std::string sum;
  if (result.parts.rank > 0) sum += one ? "U Uᵀ + " : symmetric ? "U Vᵀ + V Uᵀ + " : "U Vᵀ + ";
  if (result.parts.entries > 0) sum += "S + ";
  return sum;
}

/// X̂ = W₈ ⋯ W₂ W₁, or what the constraint makes of it, beside the other parts.
std::string formula(const Result& result) {
  const int64_t last = result.parts.factors;
  const std::string sum = "X̂ = " + before_factors(result);
  std::string product = last > 2 ? "W<sub>" + std::to_string(last) + "</sub> ⋯ " : "";
  product += last > 1 ? "W<sub>2</sub> W<sub>1</sub>" : "W<sub>1</sub>";
  switch (result.fit.constraint) {
    case CHORD_CONSTRAINT_SYMMETRIC: return sum + "½(P + Pᵀ), P = " + product;
    case CHORD_CONSTRAINT_SEMIDEFINITE: return sum + "P Pᵀ, P = " + product;
    default: return sum + product;
  }
}

std::string place(int64_t distance, int64_t n) {
  if (distance == 0) return "on the diagonal";
  if (distance == 1 || distance == n - 1) return "beside the diagonal";
  return "parallel to the diagonal";
}

}  // namespace

std::string words(const Result& result) {
  const auto& fit = result.fit;
  const int64_t factors = result.parts.factors;
  return "<p class=\"words-of-it\">" + formula(result) + ". The W are the <b>factors</b>: sparse matrices with " +
         counted(fit.links, "non-zero") +
         " in each row, its <b>links</b>, at places that are the same for all: row i has "
         "them at columns i + " +
         join(result.offsets, ", ") + ", counted around the edge. What was sought are the " + std::to_string(factors) +
         "&nbsp;·&nbsp;" + std::to_string(fit.n) + "&nbsp;·&nbsp;" + std::to_string(fit.links) + " = " +
         std::to_string(factors * fit.n * fit.links) +
         " numbers at these places. The product reaches places that no factor has.</p>\n";
}

std::string streak_note(const Streak& streak, int64_t n) {
  return "<p class=\"words-of-it\">The streak " + place(streak.distance, n) + ", where X − X̂ is " +
         mathematical(streak.times, 2) +
         " times as large as usual: an entry of the product is a sum over all ways from its row to its column, a link "
         "of "
         "each factor at a time. Only " +
         mathematical(streak.ways, 3) + " ways lead there; half of all entries have " +
         mathematical(streak.usual_ways, 3) + " or more. The fewer the ways, the less freedom.</p>\n";
}

}  // namespace factorize
