#include "factorize/factorization.hpp"

#include <cmath>
#include <limits>

#include "capi/arguments.hpp"
#include "capi/handles.hpp"
#include "common/size.hpp"
#include "factorize/factorize.hpp"
#include "matrix/truncated_svd.hpp"

using namespace chord;
using namespace chord::capi;

static_assert(int(Constraint::semidefinite) == CHORD_CONSTRAINT_SEMIDEFINITE);
static_assert(int(Stop::cancelled) == CHORD_STOP_CANCELLED);

namespace {

template <class Number>
Number limit(Number value, const char* name) {
  if (!(value >= 0)) fail(Status::invalid_argument, name, " is ", value, "; expected 0 or more");
  return value;
}

/// Zero means `otherwise`.
template <class Number>
Number limit(Number value, const char* name, Number otherwise) {
  return limit(value, name) == 0 ? otherwise : value;
}

constexpr std::int32_t most_starts = 1000;

/// One of each kind of start, and more where they are cheap.
std::int32_t default_starts(const FitProblem& problem) {
  constexpr std::int64_t cheap = 1'000'000;  // multiplications of one way through the factors
  return problem.parameters() < cheap / problem.pattern->n() ? 12 : 3;
}

/// What the caller asks for, checked and with the defaults filled in.
struct Request {
  Request(const chord_pattern* pattern, const chord_matrix* matrix, const chord_factorize_options* options)
      : given(read_struct(options, "options")),
        matrix(checked(matrix, "matrix").value),
        problem{checked(pattern, "pattern").value, this->matrix.get(), checked_constraint(given.constraint), 0} {
    problem.stored_factors = stored_factors();
    if (this->matrix->n() != problem.pattern->n())
      fail(Status::invalid_shape, "the matrix has n = ", this->matrix->n(), ", the pattern n = ", problem.pattern->n());
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    if (given.precision != 0 && given.precision != 32 && given.precision != 64)
      fail(Status::invalid_argument, "precision is ", given.precision, "; expected 32 or 64 bits, or 0");
    if (given.reserved != 0) fail(Status::invalid_argument, "reserved is ", given.reserved, "; expected 0");
    const bool single = given.precision == 32;
    if (!single && !problem.pattern->context()->device().has_float64)
      fail(Status::unsupported, "the device has no float64; ask for a precision of 32 bits");
    fit.type = single ? DataType::float32 : DataType::float64;
    fit.starts = std::min(limit(given.restarts, "restarts", default_starts(problem)), most_starts);
    fit.seed = given.seed;
    fit.iterations = limit(given.iterations, "iterations", std::numeric_limits<std::int64_t>::max());
    fit.seconds = limit(given.seconds, "seconds", unlimited);
    fit.gradient_tolerance = limit(given.gradient_tolerance, "gradient_tolerance", single ? 1e-6 : 1e-10);
    fit.improvement_tolerance = limit(given.improvement_tolerance, "improvement_tolerance", 1e-4);
    if (given.resume) fit.resume = &checked(given.resume, "resume").value;
    if (given.checkpoint) fit.checkpoint = given.checkpoint;
    fit.checkpoint_seconds = limit(given.checkpoint_seconds, "checkpoint_seconds", 2.0);
    fit.callback_seconds = limit(given.callback_seconds, "callback_seconds", 0.1);
    if (given.callback) fit.callback = [this](const FitProgress& progress) { return call_back(progress); };
  }

  std::int64_t stored_factors() const {
    const std::int64_t uses = uses_of_factor(problem.constraint), n = problem.pattern->n();
    const std::int64_t factors = limit(given.factors, "factors", std::max<std::int64_t>(1, full_chain_length(n, 2)));
    return checked_int32((factors + uses - 1) / uses, "the number of factors");
  }

  bool call_back(const FitProgress& progress) const {
    const chord_factorize_progress seen{
        sizeof seen,         progress.start,          progress.starts,   progress.iteration, progress.error,
        progress.best_error, progress.relative_error, progress.gradient, progress.seconds};
    return given.callback(&seen, given.user) != 0;
  }

  chord_factorize_options given;
  std::shared_ptr<const Matrix> matrix;
  FitProblem problem;
  FitOptions fit;
};

const Factorization& value_of(const chord_factorization* factorization) {
  return checked(factorization, "factorization").value;
}

}  // namespace

chord_status chord_matrix_truncated_svd(const chord_matrix* matrix, int64_t rank, double* error,
                                        double* singular_values, double* approximation) {
  return guarded(__func__, [&] {
    const double distance = truncated_svd(*checked(matrix, "matrix").value, rank, singular_values, approximation);
    if (error) *error = distance;
  });
}

chord_status chord_factorize(const chord_pattern* pattern, const chord_matrix* matrix,
                             const chord_factorize_options* options, chord_factorization** factorization) {
  return guarded(__func__, [&] {
    required(factorization, "factorization");
    const Request request(pattern, matrix, options);
    *factorization = make_handle<chord_factorization>(factorize(request.problem, request.fit));
  });
}

chord_status chord_factorize_memory(const chord_pattern* pattern, const chord_matrix* matrix,
                                    const chord_factorize_options* options, uint64_t* bytes) {
  return guarded(__func__, [&] {
    required(bytes, "bytes");
    const Request request(pattern, matrix, options);
    *bytes = factorize_memory(request.problem, request.fit);
  });
}

chord_status chord_factorization_destroy(chord_factorization* factorization) {
  return guarded(__func__, [&] { destroy_handle(factorization, "factorization"); });
}

chord_status chord_factorization_get_info(const chord_factorization* factorization, chord_factorization_info* info) {
  return guarded(__func__, [&] {
    const Factorization& value = value_of(factorization);
    const FitRecord& record = value.record();
    chord_factorization_info about{};
    about.n = value.pattern()->n();
    about.links = value.pattern()->links();
    about.factors = value.stored_factors() * uses_of_factor(value.constraint());
    about.nonzeros = value.weights().elements();
    about.constraint = std::int32_t(value.constraint());
    about.precision = std::int32_t(8 * size_of(value.weights().type));
    about.stop = std::int32_t(record.stop);
    about.iterations = record.iterations;
    about.seconds = record.seconds;
    about.error = record.error;
    about.relative_error = record.relative_error;
    about.seed = record.seed;
    fill_info(info, about, "info");
  });
}

chord_status chord_factorization_apply(const chord_factorization* factorization, const chord_tensor* v, chord_tensor* z,
                                       int32_t transposed) {
  return guarded(__func__, [&] {
    value_of(factorization).apply(checked(v, "v").value, checked(z, "z").value, flag(transposed, "transposed"));
  });
}

chord_status chord_factorization_rows(const chord_factorization* factorization, const int64_t* indices, int64_t count,
                                      chord_tensor* out) {
  return guarded(__func__, [&] {
    const Tensor& rows = checked(out, "out").value;
    value_of(factorization).rows(row_indices(indices, count, rows), rows);
  });
}

chord_status chord_factorization_dense(const chord_factorization* factorization, chord_tensor* out) {
  return guarded(__func__, [&] { value_of(factorization).dense(checked(out, "out").value); });
}

chord_status chord_factorization_get_chain(const chord_factorization* factorization, chord_chain** chain) {
  return guarded(__func__,
                 [&] { *required(chain, "chain") = make_handle<chord_chain>(value_of(factorization).chain()); });
}

chord_status chord_factorization_get_weights(const chord_factorization* factorization, chord_tensor** weights) {
  return guarded(__func__,
                 [&] { *required(weights, "weights") = make_handle<chord_tensor>(value_of(factorization).weights()); });
}

chord_status chord_factorization_get_pattern(const chord_factorization* factorization, chord_pattern** pattern) {
  return guarded(
      __func__, [&] { *required(pattern, "pattern") = make_handle<chord_pattern>(value_of(factorization).pattern()); });
}

chord_status chord_factorization_save(const chord_factorization* factorization, const char* path) {
  return guarded(__func__, [&] { value_of(factorization).save(required(path, "path")); });
}

chord_status chord_factorization_load(chord_context* context, const char* path, chord_factorization** factorization) {
  return guarded(__func__, [&] {
    required(factorization, "factorization");
    *factorization = make_handle<chord_factorization>(
        Factorization::load(checked(context, "context").value, required(path, "path")));
  });
}

namespace {

/// What a constraint or a reason to stop is called.
template <class Traits>
void fill_name(chord_name_info* info, const Traits& traits) {
  chord_name_info value{};
  value.name = traits.name;
  value.description = traits.meaning;
  fill_info(info, value, "info");
}

}  // namespace

chord_status chord_constraint_count(int32_t* count) {
  return guarded(__func__, [&] { count_items(constraint_traits, count); });
}

chord_status chord_constraint_get_info(int32_t constraint, chord_name_info* info) {
  return guarded(__func__, [&] { fill_name(info, item(constraint_traits, constraint)); });
}

chord_status chord_stop_count(int32_t* count) {
  return guarded(__func__, [&] { count_items(stop_traits, count); });
}

chord_status chord_stop_get_info(int32_t stop, chord_name_info* info) {
  return guarded(__func__, [&] { fill_name(info, item(stop_traits, stop)); });
}
