#include "factorize/job.hpp"

#include "capi/fit_request.hpp"

using namespace chord;
using namespace chord::capi;

namespace {

const FitJob& value_of(const chord_job* job) { return *checked(job, "job").value; }

}  // namespace

chord_status chord_factorize_start(const chord_pattern* pattern, const chord_matrix* matrix,
                                   const chord_factorize_options* options, chord_job** job) {
  return guarded(__func__, [&] {
    required(job, "job");
    const auto request = std::make_shared<const FitRequest>(pattern, matrix, options);
    if (request->fit.callback)
      fail(Status::invalid_argument, "callback is given, but a job has none; ask it with chord_job_poll");
    if (request->fit.peers) fail(Status::invalid_argument, "peers is given, but a job works alone");
    const std::shared_ptr<FitJob> started = FitJob::start(request->splits, request->fit, request);
    try {
      *job = make_handle<chord_job>(started, request->splits.front().pattern->context());
    } catch (...) {
      started->cancel();  // nobody else could
      throw;
    }
  });
}

chord_status chord_job_poll(const chord_job* job, chord_flag* done, chord_factorize_progress* progress) {
  return guarded(__func__, [&] {
    const FitJob& value = value_of(job);
    if (progress) {
      const std::optional<FitProgress> now = value.progress();
      fill_info(progress, now ? progress_of(*now) : chord_factorize_progress{}, "progress");
    }
    if (done) *done = value.done();
  });
}

chord_status chord_job_cancel(chord_job* job) {
  return guarded(__func__, [&] { checked(job, "job").value->cancel(); });
}

chord_status chord_job_wait(const chord_job* job, double seconds, chord_flag* done) {
  return guarded(__func__, [&] {
    if (seconds != seconds) fail(Status::invalid_argument, "seconds is no number");
    const bool ended = value_of(job).wait(seconds);
    if (done) *done = ended;
  });
}

chord_status chord_job_get_factorization(const chord_job* job, chord_factorization** factorization) {
  return guarded(__func__, [&] {
    required(factorization, "factorization");
    *factorization = make_handle<chord_factorization>(value_of(job).result());
  });
}

chord_status chord_job_destroy(chord_job* job) {
  return guarded(__func__, [&] { destroy_handle(job, "job"); });
}
