#include "run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "progress.hpp"
#include "protocol.hpp"
#include "text.hpp"

namespace factorize {
namespace {

/// Above this, a dense matrix and its SVD take too much time and memory for a mere comparison.
constexpr int64_t largest_dense = 4096;

/// Everything that says which factorisation is wanted, and keeps alive what the options point at.
struct Plan {
  chord::Matrix matrix;
  std::optional<chord::Factorization> resumed;
  chord::Pattern pattern;
  chord_factorize_options options;
};

int32_t constraint_of(const std::string& name) {
  int32_t constraint = CHORD_CONSTRAINT_NONE;
  while (constraint_name(constraint) != name) ++constraint;
  return constraint;
}

Plan make_plan(chord::Context& context, const Options& options, const Job& job) {
  auto matrix = chord::Matrix::read(job.file);
  std::optional<chord::Factorization> resumed;
  if (!options.resume.empty()) resumed = chord::Factorization::load(context, options.resume);
  auto pattern =
      resumed ? resumed->pattern() : Protocol(options.protocol).pattern(context, matrix.info().n, options.links);

  auto fit = chord::detail::empty_info<chord_factorize_options>();
  fit.factors = resumed ? resumed->info().factors : options.factors;
  fit.constraint = resumed ? resumed->info().constraint : constraint_of(options.constraint);
  fit.precision = options.precision == 0 && resumed ? resumed->info().precision : options.precision;
  fit.restarts = options.restarts;
  fit.seed = options.seed;
  fit.iterations = options.iterations;
  fit.seconds = options.seconds;
  fit.improvement_tolerance = options.tolerance;
  return {std::move(matrix), std::move(resumed), std::move(pattern), fit};
}

/// What is going to be stored: the library's default made explicit.
int64_t stored_factors(const chord_factorize_options& options, int64_t n) {
  const int64_t factors = options.factors > 0 ? options.factors : std::max<int64_t>(chord::full_chain_length(n), 1);
  return options.constraint == CHORD_CONSTRAINT_SEMIDEFINITE ? (factors + 1) / 2 : factors;
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

struct Fit {
  chord::Factorization factorization;
  std::vector<CurvePoint> curve;
};

Fit fit(const Plan& plan, const Options& options, const std::string& output) {
  // Its line on the terminal is gone when this returns.
  Progress progress(options.seconds, !options.json);
  chord_factorize_options fit = plan.options;
  fit.resume = plan.resumed ? plan.resumed->get() : nullptr;
  fit.checkpoint = output.empty() ? nullptr : output.c_str();
  fit.callback = Progress::callback;
  fit.user = &progress;
  fit.callback_seconds = 0.01;  // a run of a second has a curve, too

  const auto begin = std::chrono::steady_clock::now();
  auto factorization = chord::Factorization::fit(plan.pattern, plan.matrix, fit);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  auto curve = progress.curve().points();
  curve.push_back({seconds.count(), factorization.info().iterations, factorization.info().error});
  return {std::move(factorization), std::move(curve)};
}

std::vector<double> dense(chord::Context& context, const chord::Factorization& factorization) {
  const auto info = factorization.info();
  if (info.precision == 64) {
    auto out = chord::Tensor::empty<double>(context, {info.n, info.n});
    factorization.dense(out);
    return out.to_host<double>();
  }
  auto out = chord::Tensor::empty<float>(context, {info.n, info.n});
  factorization.dense(out);
  const auto values = out.to_host<float>();
  return std::vector<double>(values.begin(), values.end());
}

/// What the report shows of the TSVD is left in `view`, if there is one.
Tsvd truncated_svd(const chord::Matrix& matrix, View* view) {
  const int64_t n = matrix.info().n;
  Tsvd tsvd{tsvd_rank(n), 0};
  std::vector<double> approximation(view ? std::size_t(n * n) : 0), singular_values(static_cast<std::size_t>(n));
  chord::check(chord_matrix_truncated_svd(matrix.get(), tsvd.rank, &tsvd.error, singular_values.data(),
                                          view ? approximation.data() : nullptr));
  if (view) {
    view->tsvd = reduced(n, approximation);
    view->x_singular_values = std::move(singular_values);
  }
  return tsvd;
}

/// Does what is shown beside the result. That it fails is told, and does no harm to the result.
template <class Work>
void attempt(const Job& job, const char* what, Work work) {
  try {
    work();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: no %s: %s\n", job.name.c_str(), what, problem.what());
  }
}

}  // namespace

chord::Context open_device(const Options& options) {
  const char* const environment = std::getenv("CHORD_DEVICE");
  if (options.device != "auto" || (environment && *environment)) return chord::Context(options.device);
  // Not a SYCL CPU device, as the library's "auto" would have it: the host's many small launches are cheaper.
  for (const auto& device : chord::devices())
    if (device.kind == CHORD_DEVICE_GPU && (device.has_float64 || options.precision == 32))
      return chord::Context(device.selector);
  return chord::Context("host");
}

Outcome run(chord::Context& context, const Options& options, const Job& job, const std::string& output) {
  const Plan plan = make_plan(context, options, job);
  announce(plan, job, context.device());
  const auto [factorization, curve] = fit(plan, options, output);

  Outcome outcome;
  Result& result = outcome.result;
  result.job = job;
  result.matrix = plan.matrix.info();
  result.fit = factorization.info();
  result.offsets = plan.pattern.offsets();
  result.protocol = plan.resumed ? "" : options.protocol;
  result.device = context.device();
  result.curve = curve;
  if (!output.empty()) try {
      factorization.save(output);
      result.output = output;
    } catch (const std::exception& problem) {
      outcome.not_saved = problem.what();
    }

  if (result.fit.n > largest_dense) return outcome;
  std::vector<double> approximation;
  if (!options.report.empty())
    attempt(job, "pictures", [&] {
      approximation = dense(context, factorization);
      const View view{reduced(result.fit.n, plan.matrix.to_dense()), reduced(result.fit.n, approximation), {}, {}, {}};
      outcome.view = view;
    });
  View* const view = outcome.view ? &*outcome.view : nullptr;
  attempt(job, "truncated SVD to compare with", [&] {
    result.tsvd = truncated_svd(plan.matrix, view);
    if (view) view->sf_singular_values = chord::Matrix::dense(result.fit.n, approximation).singular_values();
  });
  return outcome;
}

}  // namespace factorize
