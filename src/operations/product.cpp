#include "operations/product.hpp"

#include "device/launch.hpp"
#include "operations/copy.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

/// W or Wᵀ from one batch of values to another; a name is what the caller calls a tensor.
template <class Op>
void apply_factor(const Pattern& pattern, const Tensor& w, const char* in_name, const Tensor& in, const char* out_name,
                  const Tensor& out, bool accumulate) {
  const DataType type = common_type(pattern, {{"w", &w}, {in_name, &in}, {out_name, &out}});
  const BatchShape shape = batch_shape(out_name, out);
  expect_shape("w", batch_shape("w", w), {w.rank() == 3 ? shape.sequences : 1, pattern.n(), pattern.links()});
  expect_shape(in_name, batch_shape(in_name, in), {shape.sequences, pattern.n(), shape.columns});
  expect_shape(out_name, shape, {shape.sequences, pattern.n(), shape.columns});
  expect_apart(out_name, out, {{in_name, &in}, {"w", &w}});
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    launch<Op, T>(*pattern.context()->submit(), {.w = view_of<const T>(w),
                                                 .v = view_of<const T>(in),
                                                 .z = view_of<T>(out),
                                                 .add = accumulate ? view_of<const T>(out) : View<const T>{},
                                                 .links = pattern.device_links(),
                                                 .sequences = shape.sequences,
                                                 .columns = shape.columns});
  });
}

}  // namespace

void product(const Pattern& pattern, const Tensor& w, const Tensor& v, const Tensor& z, bool accumulate) {
  apply_factor<kernels::product>(pattern, w, "v", v, "z", z, accumulate);
}

void product_gradient_values(const Pattern& pattern, const Tensor& w, const Tensor& dz, const Tensor& dv,
                             bool accumulate) {
  apply_factor<kernels::product_gradient_values>(pattern, w, "dz", dz, "dv", dv, accumulate);
}

void product_gradient_weights(const Pattern& pattern, const Tensor& dz, const Tensor& v, const Tensor& dw,
                              bool accumulate) {
  const DataType type = common_type(pattern, {{"dz", &dz}, {"v", &v}, {"dw", &dw}});
  const BatchShape shape = batch_shape("dz", dz);
  const BatchShape expected{shape.sequences, pattern.n(), shape.columns};
  expect_shape("dz", shape, expected);
  expect_shape("v", batch_shape("v", v), expected);
  const bool per_sequence = dw.rank() == 3;
  expect_shape("dw", batch_shape("dw", dw), {per_sequence ? shape.sequences : 1, pattern.n(), pattern.links()});
  expect_apart("dw", dw, {{"v", &v}, {"dz", &dz}});
  if (shape.sequences == 0) {  // the sum over no sequences
    if (!accumulate) fill(dw, 0);
    return;
  }
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    launch<kernels::product_gradient_weights, T>(*pattern.context()->submit(),
                                                 {.dz = view_of<const T>(dz),
                                                  .v = view_of<const T>(v),
                                                  .dw = view_of<T>(dw),
                                                  .links = pattern.device_links(),
                                                  .sequences = per_sequence ? shape.sequences : 1,
                                                  .summed = per_sequence ? 1 : shape.sequences,
                                                  .columns = shape.columns,
                                                  .accumulate = accumulate});
  });
}

}  // namespace chord
