#include "verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/text.hpp"

namespace factorize {
namespace {

using namespace program;

constexpr double next_to_nothing = 1e-9;  // of ‖X‖: what rounding leaves over
constexpr double low_rank = 0.1;          // of ‖X‖: what it may leave over of a matrix that is said to have it
constexpr double little = 0.9;            // of ‖X‖: what is left over where next to nothing was found
constexpr double alike = 1.05;            // another seed changes as much

/// "2.2 times", "31 times".
std::string times(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, ratio < 10 ? "%.1f times" : "%.0f times", ratio);
  return ratio < 1e6 ? text : "more than a million times";
}

std::string beside_zero(const Result& result) {
  if (result.fit.relative_error < little) return "";
  if (result.fit.relative_error < 1)
    return "Little of X is caught: " + number(100 * result.fit.relative_error) + " % of its norm is left over.";
  return "Useless: the zero matrix would be no worse, its error is ‖X‖ = " + number(result.matrix.norm) + ".";
}

/// What a product of stochastic factors cannot come near to.
std::string beside_distributions(const Result& result) {
  constexpr double off = 1e-3;
  if (!result.row_sums) return "";
  const auto [lowest, highest] = *result.row_sums;
  if (std::abs(lowest - 1) <= off && std::abs(highest - 1) <= off) return "";
  return "The rows of X do not sum to one (but to " + number(lowest) + " … " + number(highest) +
         "), those of a stochastic product do: divide each row of X by its sum, or choose another constraint.";
}

std::string low_rank_alone(const Result& result) {
  const std::string found = "Nothing better than a truncated SVD was found: the result is one, of rank " +
                            std::to_string(result.parts.rank) + ".";
  if (result.fit.stop != CHORD_STOP_SECONDS) return found;
  return found + " The time was over before the search was; more of it may find something better.";
}

std::string beside_tsvd(const Result& result) {
  if (!result.tsvd) return "";
  const PartSizes& parts = result.parts;
  const std::string we = parts.factors_alone() ? "The factors" : "The parts together";
  const double ours = result.fit.error, other = result.tsvd->error, nothing = next_to_nothing * result.matrix.norm;
  if (parts.low_rank_alone() && other > nothing) return low_rank_alone(result);
  if (other <= nothing && ours <= nothing && !parts.low_rank_alone())
    return we + " and the truncated SVD are both exact.";
  if (other <= nothing)
    return "The truncated SVD is exact here: to rounding, this matrix has rank " + std::to_string(result.tsvd->rank) +
           " or less.";
  if (ours <= nothing) return we + " are exact, the truncated SVD is not.";
  if (std::max(ours / other, other / ours) < alike) return we + " and the truncated SVD are equally good here.";
  if (other < ours)
    return "The truncated SVD is " + times(ours / other) + " better here" +
           (other < low_rank * result.matrix.norm ? ": this matrix is near one of low rank." : ".");
  return we + " are " + times(other / ours) + " better than a truncated SVD of as many numbers.";
}

std::string beside_x(const Result& result) {
  const int64_t ours = result.fit.nonzeros, own = own_numbers(result.matrix);
  const std::string what = is_sparse(result.matrix) ? "X's own non-zeros" : "X has";
  if (ours >= own)
    return (ours > own ? "More numbers than " : "As many numbers as ") + what + " (" + std::to_string(own) +
           "): nothing is saved.";
  return times(double(own) / double(ours)) + " fewer numbers than " + what + ".";
}

}  // namespace

std::vector<std::string> verdict(const Result& result) {
  std::vector<std::string> sentences;
  for (const auto& aspect : {beside_zero, beside_distributions, beside_tsvd, beside_x}) {
    std::string sentence = aspect(result);
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace factorize
