#include "plan.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "common/text.hpp"
#include "names.hpp"
#include "protocol.hpp"
#include "result.hpp"

namespace factorize {
namespace {

using namespace program;

/// What is going to be stored: the library's default made explicit.
int64_t stored_factors(const chord_factorize_options& options, int64_t n) {
  const int64_t factors = options.factors > 0 ? options.factors : std::max<int64_t>(chord::full_chain_length(n), 1);
  return options.constraint == CHORD_CONSTRAINT_SEMIDEFINITE ? (factors + 1) / 2 : factors;
}

}  // namespace

Plan make_plan(chord::Context& context, const Options& options, const Job& job) {
  auto matrix = chord::Matrix::read(job.file);
  std::optional<chord::Factorization> resumed;
  if (!options.resume.empty()) resumed = chord::Factorization::load(context, options.resume);
  if (resumed && resumed->info().n != matrix.info().n)
    throw std::runtime_error(options.resume + ": holds factors of a matrix of " + std::to_string(resumed->info().n) +
                             " rows; this one has " + std::to_string(matrix.info().n));
  auto pattern =
      resumed ? resumed->pattern() : Protocol(options.protocol).pattern(context, matrix.info().n, options.links);

  chord_factorize_options fit = chord::factorize_options();
  fit.factors = resumed ? resumed->info().factors : options.factors;
  fit.constraint = resumed ? resumed->info().constraint : constraint_named(options.constraint);
  fit.precision = options.precision == 0 && resumed ? resumed->info().precision : options.precision;
  fit.restarts = options.restarts;
  fit.seed = options.seed;
  fit.iterations = options.iterations;
  fit.seconds = options.seconds;
  fit.improvement_tolerance = options.tolerance;
  fit.resume = resumed ? resumed->get() : nullptr;
  return {std::move(matrix), std::move(resumed), std::move(pattern), fit};
}

void announce(const Plan& plan, const Job& job, const chord::DeviceInfo& device) {
  const int64_t n = plan.pattern.n(), links = plan.pattern.links(), factors = stored_factors(plan.options, n);
  uint64_t memory = 0;
  chord::check(chord_factorize_memory(plan.pattern.get(), plan.matrix.get(), &plan.options, &memory));
  std::fprintf(stderr, "%s: %lld × %lld, %lld factors with %lld links: %lld numbers instead of %lld; %s on %s (%s)\n",
               job.name.c_str(), (long long)n, (long long)n, (long long)factors, (long long)links,
               (long long)(factors * n * links), (long long)(n * n), bytes(memory).c_str(), device.selector,
               device.name);
}

}  // namespace factorize
