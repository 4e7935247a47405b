#include "operations/product.hpp"

#include "capi/handles.hpp"

using namespace chord::capi;

chord_status chord_product(const chord_pattern* pattern, const chord_tensor* w, const chord_tensor* v, chord_tensor* z,
                           int32_t accumulate) {
  return guarded(__func__, [&] {
    chord::product(*checked(pattern, "pattern").value, checked(w, "w").value, checked(v, "v").value,
                   checked(z, "z").value, flag(accumulate, "accumulate"));
  });
}

chord_status chord_product_gradient_values(const chord_pattern* pattern, const chord_tensor* w, const chord_tensor* dz,
                                           chord_tensor* dv, int32_t accumulate) {
  return guarded(__func__, [&] {
    chord::product_gradient_values(*checked(pattern, "pattern").value, checked(w, "w").value, checked(dz, "dz").value,
                                   checked(dv, "dv").value, flag(accumulate, "accumulate"));
  });
}

chord_status chord_product_gradient_weights(const chord_pattern* pattern, const chord_tensor* dz, const chord_tensor* v,
                                            chord_tensor* dw, int32_t accumulate) {
  return guarded(__func__, [&] {
    chord::product_gradient_weights(*checked(pattern, "pattern").value, checked(dz, "dz").value, checked(v, "v").value,
                                    checked(dw, "dw").value, flag(accumulate, "accumulate"));
  });
}
