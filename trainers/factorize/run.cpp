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
  auto pattern = resumed ? resumed->pattern()
                         : Protocol(options.protocol).pattern(context, matrix.info().n, options.links);

  auto fit = chord::detail::empty_info<chord_factorize_options>();
  fit.factors = resumed ? resumed->info().factors : options.factors;
  fit.constraint = resumed ? resumed->info().constraint : constraint_of(options.constraint);
  fit.precision = options.precision == 0 && resumed ? resumed->info().precision : options.precision;
  fit.restarts = options.restarts;
  fit.matrix_free = options.matrix_free;
  fit.seed = options.seed;
  fit.iterations = options.iterations;
  fit.seconds = options.seconds;
  fit.improvement_tolerance = options.tolerance;
  return {std::move(matrix), std::move(resumed), std::move(pattern), fit};
}

void announce(const Plan& plan, const Job& job, const chord::DeviceInfo& device) {
  const int64_t n = plan.pattern.n(), links = plan.pattern.links(), factors = plan.options.factors;
  uint64_t memory = 0;
  chord::check(chord_factorize_memory(plan.pattern.get(), plan.matrix.get(), &plan.options, &memory));
  std::fprintf(stderr, "%s: %lld × %lld, %lld factors with %lld links, %lld numbers instead of %lld, %s on %s (%s)\n",
               job.name.c_str(), (long long)n, (long long)n, (long long)factors, (long long)links,
               (long long)(factors * n * links), (long long)plan.matrix.info().stored, bytes(memory).c_str(),
               device.selector, device.name);
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

/// The comparison, and what of it the report shows.
std::optional<Tsvd> truncated_svd(const chord::Matrix& matrix, View* view) {
  const int64_t n = matrix.info().n;
  Tsvd tsvd{tsvd_rank(n), 0};
  if (!view) {
    chord::check(chord_matrix_truncated_svd(matrix.get(), tsvd.rank, &tsvd.error, nullptr, nullptr));
    return tsvd;
  }
  std::vector<double> approximation(std::size_t(n * n)), singular_values(static_cast<std::size_t>(n));
  chord::check(chord_matrix_truncated_svd(matrix.get(), tsvd.rank, &tsvd.error, singular_values.data(),
                                          approximation.data()));
  view->tsvd = reduced(n, approximation);
  view->x_singular_values = std::move(singular_values);
  return tsvd;
}

void note(const Job& job, const char* what, const std::exception& why) {
  std::fprintf(stderr, "%s: %s: %s\n", job.name.c_str(), what, why.what());
}

/// What is shown beside the result. It may fail without harm to the result.
void compare(chord::Context& context, const Plan& plan, const chord::Factorization& factorization, bool with_view,
             Outcome& outcome) {
  const Result& result = outcome.result;
  if (result.fit.n > largest_dense) return;
  if (with_view) outcome.view.emplace();
  View* view = with_view ? &*outcome.view : nullptr;
  try {
    if (view) {
      const auto sf = dense(context, factorization);
      view->x = reduced(result.fit.n, plan.matrix.to_dense());
      view->sf = reduced(result.fit.n, sf);
      outcome.result.tsvd = truncated_svd(plan.matrix, view);
      view->sf_singular_values = chord::Matrix::dense(result.fit.n, sf).singular_values();
    } else {
      outcome.result.tsvd = truncated_svd(plan.matrix, nullptr);
    }
  } catch (const std::exception& problem) {
    note(result.job, "nothing to compare with", problem);
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
  Plan plan = make_plan(context, options, job);
  announce(plan, job, context.device());

  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  Progress progress(options.seconds, !options.json);
  plan.options.resume = plan.resumed ? plan.resumed->get() : nullptr;
  plan.options.checkpoint = output.empty() ? nullptr : output.c_str();
  plan.options.callback = Progress::callback;
  plan.options.user = &progress;
  plan.options.callback_seconds = 0.01;  // fine enough for the curve of a run of a second
  const auto factorization = chord::Factorization::fit(plan.pattern, plan.matrix, plan.options);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();

  Outcome outcome;
  outcome.result = {job,
                    plan.matrix.info(),
                    factorization.info(),
                    plan.pattern.offsets(),
                    plan.resumed ? "" : options.protocol,
                    context.device(),
                    std::nullopt,
                    output,
                    progress.curve().points()};
  outcome.result.curve.push_back({seconds, factorization.info().iterations, factorization.info().error});
  if (!output.empty()) {
    try {
      factorization.save(output);
    } catch (const std::exception& problem) {
      outcome.not_saved = problem.what();
    }
  }
  compare(context, plan, factorization, !options.report.empty(), outcome);
  return outcome;
}

}  // namespace factorize
