#include "operations/chain.hpp"

#include "capi/arguments.hpp"
#include "capi/handles.hpp"

using namespace chord;
using namespace chord::capi;

namespace {

const Tensor* optional(const chord_tensor* tensor, const char* name) {
  return tensor ? &checked(tensor, name).value : nullptr;
}

}  // namespace

chord_status chord_chain_create(const chord_pattern* pattern, const chord_tensor* weights, int32_t residual,
                                chord_chain** chain) {
  return guarded(__func__, [&] {
    required(chain, "chain");
    *chain = make_handle<chord_chain>(
        Chain(checked(pattern, "pattern").value, checked(weights, "weights").value, flag(residual, "residual")));
  });
}

chord_status chord_chain_destroy(chord_chain* chain) {
  return guarded(__func__, [&] { destroy_handle(chain, "chain"); });
}

chord_status chord_chain_apply(const chord_chain* chain, const chord_tensor* v, chord_tensor* z, chord_tensor* tape) {
  return guarded(__func__, [&] {
    checked(chain, "chain").value.apply(checked(v, "v").value, checked(z, "z").value, optional(tape, "tape"));
  });
}

chord_status chord_chain_apply_transposed(const chord_chain* chain, const chord_tensor* v, chord_tensor* z) {
  return guarded(__func__,
                 [&] { checked(chain, "chain").value.apply_transposed(checked(v, "v").value, checked(z, "z").value); });
}

chord_status chord_chain_rows(const chord_chain* chain, const int64_t* indices, int64_t count, chord_tensor* out) {
  return guarded(__func__, [&] {
    const Tensor& rows = checked(out, "out").value;
    checked(chain, "chain").value.rows(row_indices(indices, count, rows), rows);
  });
}

chord_status chord_chain_dense(const chord_chain* chain, chord_tensor* out) {
  return guarded(__func__, [&] { checked(chain, "chain").value.dense(checked(out, "out").value); });
}

chord_status chord_chain_gradient(const chord_chain* chain, const chord_tensor* v, const chord_tensor* tape,
                                  const chord_tensor* g, chord_tensor* dw, chord_tensor* dv, int32_t accumulate) {
  return guarded(__func__, [&] {
    checked(chain, "chain")
        .value.gradient(checked(v, "v").value, optional(tape, "tape"), checked(g, "g").value, checked(dw, "dw").value,
                        optional(dv, "dv"), flag(accumulate, "accumulate"));
  });
}
