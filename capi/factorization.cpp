#include "factorize/factorization.hpp"

#include "capi/arguments.hpp"
#include "capi/fit_request.hpp"
#include "factorize/factorize_operator.hpp"

using namespace chord;
using namespace chord::capi;

static_assert(int(Constraint::semidefinite) == CHORD_CONSTRAINT_SEMIDEFINITE);
static_assert(int(Stop::cancelled) == CHORD_STOP_CANCELLED);
static_assert(int(PartKind::entries) == CHORD_PART_ENTRIES);

namespace {

const Factorization& value_of(const chord_factorization* factorization) {
  return checked(factorization, "factorization").value;
}

}  // namespace

chord_status chord_factorize(const chord_pattern* pattern, const chord_matrix* matrix,
                             const chord_factorize_options* options, chord_factorization** factorization) {
  return guarded(__func__, [&] {
    required(factorization, "factorization");
    const FitRequest request(pattern, matrix, options);
    *factorization = make_handle<chord_factorization>(factorize(request.splits, request.fit));
  });
}

chord_status chord_factorize_memory(const chord_pattern* pattern, const chord_matrix* matrix,
                                    const chord_factorize_options* options, uint64_t* bytes) {
  return guarded(__func__, [&] {
    required(bytes, "bytes");
    const FitRequest request(pattern, matrix, options);
    *bytes = factorize_memory(request.splits, request.fit);
  });
}

namespace {

class CallbackOperator : public Operator {
 public:
  CallbackOperator(std::int64_t n, chord_operator_apply apply, void* user) : n_(n), apply_(apply), user_(user) {}

  std::int64_t n() const override { return n_; }
  void apply(const double* in, double* out, std::int64_t columns, bool transposed) const override {
    if (const std::int32_t answer = apply_(in, out, columns, transposed ? 1 : 0, user_); answer != 0)
      fail(Status::stopped, "apply returned ", answer, "; expected 0");
  }

 private:
  std::int64_t n_;
  chord_operator_apply apply_;
  void* user_;
};

}  // namespace

chord_status chord_factorize_operator(const chord_pattern* pattern, chord_operator_apply apply, void* user,
                                      const chord_factorize_options* options, chord_factorization** factorization) {
  return guarded(__func__, [&] {
    required(factorization, "factorization");
    if (!apply) fail(Status::invalid_argument, "apply is NULL");
    const FitRequest request(pattern, options);
    const CallbackOperator x(request.splits.front().pattern->n(), apply, user);
    *factorization = make_handle<chord_factorization>(factorize_operator(x, request.splits, request.fit));
  });
}

chord_status chord_factorize_operator_memory(const chord_pattern* pattern, const chord_factorize_options* options,
                                             uint64_t* bytes) {
  return guarded(__func__, [&] {
    required(bytes, "bytes");
    const FitRequest request(pattern, options);
    *bytes = factorize_operator_memory(request.splits, request.fit);
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
    about.nonzeros = value.numbers();
    about.constraint = std::int32_t(value.constraint());
    about.precision = std::int32_t(8 * size_of(value.type()));
    about.stop = std::int32_t(record.stop);
    about.iterations = record.iterations;
    about.seconds = record.seconds;
    about.error = record.error;
    about.relative_error = record.relative_error;
    about.seed = record.seed;
    about.standard_error = record.standard_error;
    about.rows = value.shape().rows;
    about.columns = value.shape().columns;
    fill_info(info, about, "info");
  });
}

chord_status chord_factorization_part_count(const chord_factorization* factorization, int32_t* count) {
  return guarded(__func__, [&] { count_items(value_of(factorization).parts(), count); });
}

chord_status chord_factorization_get_part(const chord_factorization* factorization, int32_t index,
                                          chord_part_info* info) {
  return guarded(__func__, [&] {
    const std::vector<PartSize> parts = value_of(factorization).parts();
    const PartSize& part = item(parts, index);
    chord_part_info about{};
    about.kind = std::int32_t(part.kind);
    about.size = part.size;
    about.numbers = part.numbers;
    fill_info(info, about, "info");
  });
}

chord_status chord_factorization_get_tensor(const chord_factorization* factorization, const char* name,
                                            chord_tensor** tensor) {
  return guarded(__func__, [&] {
    required(tensor, "tensor");
    *tensor = make_handle<chord_tensor>(value_of(factorization).tensor(required(name, "name")));
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
                 [&] { *required(chain, "chain") = make_handle<chord_chain>(value_of(factorization).product()); });
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

chord_status chord_part_kind_count(int32_t* count) {
  return guarded(__func__, [&] { count_items(part_traits, count); });
}

chord_status chord_part_kind_get_info(int32_t kind, chord_name_info* info) {
  return guarded(__func__, [&] { fill_name(info, item(part_traits, kind)); });
}

chord_status chord_stop_count(int32_t* count) {
  return guarded(__func__, [&] { count_items(stop_traits, count); });
}

chord_status chord_stop_get_info(int32_t stop, chord_name_info* info) {
  return guarded(__func__, [&] { fill_name(info, item(stop_traits, stop)); });
}
