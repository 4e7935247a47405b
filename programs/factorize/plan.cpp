#include "plan.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "common/text.hpp"
#include "names.hpp"
#include "parts.hpp"
#include "protocol.hpp"
#include "result.hpp"
#include "view.hpp"

namespace factorize {
namespace {

using namespace program;

/// How many are stored for so many in the product; 0: the library's default made explicit.
int64_t stored_factors(int64_t factors, int32_t constraint, int64_t n) {
  if (factors == CHORD_NO_PART) return 0;
  if (factors == 0) factors = std::max<int64_t>(chord::full_chain_length(n), 1);
  return constraint == CHORD_CONSTRAINT_SEMIDEFINITE ? (factors + 1) / 2 : factors;
}

/// Numbers of a column of each side of a low rank.
int64_t column_of(const chord_matrix_info& matrix, int32_t constraint) {
  return constraint == CHORD_CONSTRAINT_SEMIDEFINITE ? matrix.n : matrix.rows + matrix.columns;
}

int64_t size_or_none(int64_t size) { return size > 0 ? size : CHORD_NO_PART; }

/// The parts that a resumed file has. The low rank alone of a large fit is where that had come to before its first
/// factors: its numbers are split.
void keep_parts(const chord::Factorization& resumed, const chord_matrix_info& matrix, chord_factorize_options& fit) {
  const PartSizes sizes = sizes_of(resumed.parts());
  if (sizes.low_rank_alone() && fit.constraint == CHORD_CONSTRAINT_NONE && is_sparse(matrix) &&
      matrix.n > largest_dense) {
    fit.numbers = resumed.info().nonzeros;
    return;
  }
  fit.factors = size_or_none(resumed.info().factors);
  fit.rank = size_or_none(sizes.rank);
  fit.entries = sizes.entries;
}

/// Those that were asked for, within the numbers of the paper's factors, or of as many as were fixed, unless others are
/// given.
void choose_parts(const Options& options, const chord::Pattern& pattern, const chord_matrix_info& matrix,
                  chord_factorize_options& fit) {
  const auto size_of = [](const std::optional<int64_t>& wanted) { return wanted ? size_or_none(*wanted) : 0; };
  const int64_t n = pattern.n(), factor = n * pattern.links();
  const int64_t column = column_of(matrix, fit.constraint);
  fit.factors = size_of(options.factors);
  fit.rank = options.paper ? CHORD_NO_PART : size_of(options.rank);
  fit.entries = options.entries;
  if (options.paper || (fit.factors != 0 && fit.rank != 0 && options.numbers == 0)) return;
  const int64_t fixed = (fit.factors > 0 ? stored_factors(fit.factors, fit.constraint, n) * factor : 0) +
                        std::max<int64_t>(fit.rank, 0) * column + 2 * fit.entries;
  const int64_t usual = stored_factors(0, fit.constraint, n) * factor;
  fit.numbers = options.numbers > 0 ? options.numbers : std::max(usual, fixed);
}

/// What is known of the sizes before the fit.
std::string parts_line(const Plan& plan) {
  const auto& fit = plan.options;
  const int64_t n = plan.pattern.n(), links = plan.pattern.links();
  const chord_matrix_info matrix = plan.matrix.info();
  const std::string instead = " instead of " + std::to_string(matrix.rows * matrix.columns);
  const std::string with_links = " with " + counted(links, "link");
  if (fit.numbers > 0) return "at most " + counted(fit.numbers, "number") + instead + ", factors" + with_links;
  PartSizes sizes;
  sizes.factors = stored_factors(fit.factors, fit.constraint, n);
  sizes.rank = std::max<int64_t>(fit.rank, 0);
  sizes.entries = fit.entries;
  const int64_t column = column_of(matrix, fit.constraint);
  return in_words(sizes, fit.constraint) + (sizes.factors > 0 ? with_links : "") + ": " +
         counted(sizes.factors * n * links + sizes.rank * column + 2 * sizes.entries, "number") + instead;
}

}  // namespace

Plan make_plan(chord::Context& context, const Options& options, const Job& job) {
  auto matrix = chord::Matrix::read(job.file);
  std::optional<chord::Factorization> resumed;
  if (!options.resume.empty()) resumed = chord::Factorization::load(context, options.resume);
  if (resumed && extent_text(resumed->info()) != extent_text(matrix.info()))
    throw std::runtime_error(options.resume + ": belongs to a matrix of " + extent_text(resumed->info()) +
                             " values; this one has " + extent_text(matrix.info()));
  auto pattern =
      resumed ? resumed->pattern() : Protocol(options.protocol).pattern(context, matrix.info().n, options.links);

  chord_factorize_options fit = chord::factorize_options();
  fit.constraint = resumed ? resumed->info().constraint : constraint_named(options.constraint);
  fit.precision = options.precision == 0 && resumed ? resumed->info().precision : options.precision;
  if (resumed)
    keep_parts(*resumed, matrix.info(), fit);
  else
    choose_parts(options, pattern, matrix.info(), fit);
  fit.restarts = options.restarts;
  fit.seed = options.seed;
  fit.iterations = options.iterations;
  fit.seconds = options.seconds;
  fit.improvement_tolerance = options.tolerance;
  fit.exact_error = options.exact_error ? 1 : 0;
  fit.resume = resumed ? resumed->get() : nullptr;
  return {std::move(matrix), std::move(resumed), std::move(pattern), fit};
}

void announce(const Plan& plan, const Job& job, const chord::DeviceInfo& device) {
  uint64_t memory = 0;
  chord::check(chord_factorize_memory(plan.pattern.get(), plan.matrix.get(), &plan.options, &memory));
  const std::string line = job.name + ": " + extent_text(plan.matrix.info()) + ", " + parts_line(plan) + "; " +
                           bytes(memory) + " on " + device.selector + " (" + device.name + ")";
  std::fputs(wrapped(line, 80).c_str(), stderr);
}

}  // namespace factorize
