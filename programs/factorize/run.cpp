#include "run.hpp"

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "common/message.hpp"
#include "compare.hpp"
#include "plan.hpp"
#include "progress.hpp"

namespace factorize {
namespace {

struct Fit {
  chord::Factorization factorization;
  std::vector<CurvePoint> curve;
  int starts;
};

Fit fit(const Plan& plan, const Fitter& fitter, const Options& options, const std::string& output) {
  // Its line on the terminal is gone when this returns.
  Progress progress(options.seconds, !options.json);
  chord_factorize_options fit = plan.options;
  fit.checkpoint = output.empty() ? nullptr : output.c_str();
  fit.callback = Progress::callback;
  fit.user = &progress;
  fit.callback_seconds = 0.01;  // a run of a second has a curve, too

  const auto begin = std::chrono::steady_clock::now();
  auto factorization = fitter.fit(plan.pattern, plan.matrix, fit);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  auto curve = progress.curve().points();
  curve.push_back({seconds.count(), factorization.info().error, curve.empty() ? 0 : curve.back().start});
  return {std::move(factorization), std::move(curve), progress.starts()};
}

/// Why it could not be done; empty if it was.
std::string save(const chord::Factorization& factorization, const std::string& path) {
  try {
    factorization.save(path);
    return "";
  } catch (const std::exception& problem) {
    return program::message_of(problem);
  }
}

}  // namespace

Outcome run(chord::Context& context, const Fitter& fitter, const Options& options, const Job& job,
            const std::string& output) {
  const Plan plan = make_plan(context, options, job);
  announce(plan, job, context.device());
  Fit found = fit(plan, fitter, options, output);
  if (!std::isfinite(found.factorization.info().error))
    throw std::runtime_error(job.file + ": has entries so large that sums of their squares are not finite");
  // Before anything else that may fail.
  const std::string not_saved = output.empty() ? "" : save(found.factorization, output);
  Comparison comparison =
      compare(context, plan.matrix, found.factorization, job.name,
              {.dense = !options.matrix_free, .view = !options.report.empty(), .paper = options.paper});

  Result result;
  result.job = job;
  result.matrix = plan.matrix.info();
  result.fit = found.factorization.info();
  result.parts = sizes_of(found.factorization.parts());
  result.offsets = plan.pattern.offsets();
  result.protocol = plan.resumed ? "" : options.protocol;
  result.device = context.device();
  result.tsvd = comparison.tsvd;
  result.row_sums = comparison.row_sums;
  result.output = not_saved.empty() ? output : "";
  result.curve = std::move(found.curve);
  result.starts = found.starts;
  return {std::move(result), std::move(comparison.view), not_saved};
}

}  // namespace factorize
