#include "run.hpp"

#include <chrono>
#include <utility>

#include "compare.hpp"
#include "plan.hpp"
#include "progress.hpp"

namespace factorize {
namespace {

struct Fit {
  chord::Factorization factorization;
  std::vector<CurvePoint> curve;
};

Fit fit(const Plan& plan, const Options& options, const std::string& output) {
  // Its line on the terminal is gone when this returns.
  Progress progress(options.seconds, !options.json);
  chord_factorize_options fit = plan.options;
  fit.checkpoint = output.empty() ? nullptr : output.c_str();
  fit.callback = Progress::callback;
  fit.user = &progress;
  fit.callback_seconds = 0.01;  // a run of a second has a curve, too

  const auto begin = std::chrono::steady_clock::now();
  auto factorization = chord::Factorization::fit(plan.pattern, plan.matrix, fit);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  auto curve = progress.curve().points();
  curve.push_back({seconds.count(), factorization.info().error});
  return {std::move(factorization), std::move(curve)};
}

/// Why it could not be done; empty if it was.
std::string save(const chord::Factorization& factorization, const std::string& path) {
  try {
    factorization.save(path);
    return "";
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

}  // namespace

Outcome run(chord::Context& context, const Options& options, const Job& job, const std::string& output) {
  const Plan plan = make_plan(context, options, job);
  announce(plan, job, context.device());
  Fit found = fit(plan, options, output);
  // Before anything else that may fail.
  const std::string not_saved = output.empty() ? "" : save(found.factorization, output);
  Comparison comparison;
  if (!options.matrix_free)
    comparison = compare(context, plan.matrix, found.factorization, job.name, !options.report.empty());

  Result result;
  result.job = job;
  result.matrix = plan.matrix.info();
  result.fit = found.factorization.info();
  result.offsets = plan.pattern.offsets();
  result.protocol = plan.resumed ? "" : options.protocol;
  result.device = context.device();
  result.tsvd = comparison.tsvd;
  result.output = not_saved.empty() ? output : "";
  result.curve = std::move(found.curve);
  return {std::move(result), std::move(comparison.view), not_saved};
}

}  // namespace factorize
