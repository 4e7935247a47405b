#include "capi/fit_request.hpp"

#include "capi/arguments.hpp"

namespace chord::capi {
namespace {

DataType type_of_precision(std::int32_t bits) {
  if (bits != 0 && bits != 32 && bits != 64)
    fail(Status::invalid_argument, "precision is ", bits, "; expected 32 or 64 bits, or 0");
  return bits == 32 ? DataType::float32 : DataType::float64;
}

std::shared_ptr<FitPeers> peers_of(const chord_factorize_peers* peers) {
  if (!peers) return nullptr;
  const chord_factorize_peers given = read_struct(peers, "peers");
  required(given.sum, "peers.sum");
  if (given.count < 1 || given.first < 0 || given.first > given.pieces - given.count)
    fail(Status::invalid_argument, "peers has pieces ", given.first, " to ", given.first + given.count, " of ",
         given.pieces, "; expected at least one of them");
  std::optional<FitPeers::Whole> whole;
  if (given.whole) {
    const chord_matrix_info info = read_struct(given.whole, "peers.whole");
    whole = {info.norm, info.sparse != 0};
  }
  return std::make_shared<FitPeers>(
      given.pieces, given.first, given.count,
      [sum = given.sum, user = given.user](double* values, std::int64_t pieces, std::int64_t numbers) {
        return sum(values, pieces, numbers, user) == 0;
      },
      whole);
}

FitOptions fit_options(const chord_factorize_options& given) {
  for (const std::int32_t reserved : {given.reserved, given.reserved_too})
    if (reserved != 0) fail(Status::invalid_argument, "reserved is ", reserved, "; expected 0");
  FitOptions fit;
  fit.type = type_of_precision(given.precision);
  fit.starts = given.restarts;
  fit.seed = given.seed;
  fit.iterations = given.iterations;
  fit.seconds = given.seconds;
  fit.gradient_tolerance = given.gradient_tolerance;
  fit.improvement_tolerance = given.improvement_tolerance;
  if (given.checkpoint) fit.checkpoint = given.checkpoint;
  fit.checkpoint_seconds = given.checkpoint_seconds;
  fit.callback_seconds = given.callback_seconds;
  fit.exact_error = flag(given.exact_error, "exact_error");
  if (given.callback)
    fit.callback = [callback = given.callback, user = given.user](const FitProgress& progress) {
      const chord_factorize_progress seen = progress_of(progress);
      return callback(&seen, user) != 0;
    };
  return fit;
}

}  // namespace

chord_factorize_progress progress_of(const FitProgress& progress) {
  return {sizeof(chord_factorize_progress),
          progress.start,
          progress.starts,
          progress.iteration,
          progress.error,
          progress.best_error,
          progress.relative_error,
          progress.gradient,
          progress.seconds,
          progress.standard_error};
}

FitRequest::FitRequest(const chord_pattern* pattern, const chord_matrix* matrix,
                       const chord_factorize_options* options) {
  matrix_ = checked(matrix, "matrix").value;
  read(pattern, options);
}

FitRequest::FitRequest(const chord_pattern* pattern, const chord_factorize_options* options) { read(pattern, options); }

void FitRequest::read(const chord_pattern* pattern, const chord_factorize_options* options) {
  const chord_factorize_options given = read_struct(options, "options");
  splits = splits_of(checked(pattern, "pattern").value, matrix_.get(), checked_constraint(given.constraint),
                     {given.numbers, given.factors, given.rank, given.entries});
  fit = fit_options(given);
  fit.peers = peers_of(given.peers);
  for (FitProblem& split : splits) {
    split.peers = fit.peers;
    if (split.has_columns() && (split.rank > 0 || split.entries > 0))
      fail(Status::invalid_argument,
           "peers.whole is given, but a low rank and entries are fitted to all of the matrix");
  }
  if (given.resume) fit.resume = &resume_.emplace(checked(given.resume, "resume").value);
}

}  // namespace chord::capi
