#include "operations/product.hpp"

#include "common/size.hpp"
#include "device/launch.hpp"
#include "operations/block_shape.hpp"
#include "operations/copy.hpp"

namespace chord {
namespace {

// Rows a CPU takes at a time, with all their columns: enough to pay for finding one's place in the grid.
constexpr std::int64_t cpu_tile_rows = 32;

void run_product(bool transposed, const Pattern& pattern, const Tensor& w, const Tensor& v, const Tensor& z,
                 bool accumulate) {
  const DataType type = common_type(pattern, {{"w", &w}, {"v", &v}, {"z", &z}});
  const Matrices ws = matrices("w", w), vs = matrices("v", v), zs = matrices("z", z);
  const std::int64_t batch = zs.sequences;
  expect_matrices("w", ws, w.rank() == 3 ? batch : 1, pattern.n(), pattern.links());
  expect_matrices("v", vs, batch, pattern.n(), zs.columns);
  expect_matrices("z", zs, batch, pattern.n(), zs.columns);
  expect_apart("z", z, "v", v);
  expect_apart("z", z, "w", w);
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    const Rows<T> out = rows_of<T>(z, zs);
    launch_product<T>(*pattern.context()->submit(), transposed, pattern, batch, zs.columns, rows_of<const T>(w, ws),
                      rows_of<const T>(v, vs), out, {accumulate ? out.data : nullptr, out.sequence, out.row});
  });
}

}  // namespace

template <class T>
void launch_product(Queue& queue, bool transposed, const Pattern& pattern, std::int64_t sequences, std::int64_t columns,
                    Rows<const T> w, Rows<const T> v, Rows<T> z, Rows<const T> add) {
  for_column_parts<T>(queue.device(), columns, [&](auto shape, ColumnPart part) {
    using Shape = decltype(shape);
    const bool tiled = queue.device().cpu_like();
    const std::int64_t tile_rows = tiled ? cpu_tile_rows : 1, lane_columns = tiled ? part.count : Shape::columns;
    const Grid grid{std::size_t(sequences), divide_up(pattern.n(), tile_rows), divide_up(part.count, lane_columns)};
    const auto run = [&](auto tag) {
      launch<decltype(tag)::kernel>(queue, grid, w.data, w.sequence, w.row, v.data + part.first, v.sequence, v.row,
                                    z.data + part.first, z.sequence, z.row, add.data ? add.data + part.first : nullptr,
                                    add.sequence, add.row, pattern.device_offsets(), pattern.n(), pattern.links(),
                                    part.count, tile_rows, lane_columns);
    };
    if (transposed)
      run(KernelTag<&kernels::product<T, Shape::width, Shape::registers, Shape::rows, true>>());
    else
      run(KernelTag<&kernels::product<T, Shape::width, Shape::registers, Shape::rows, false>>());
  });
}

template <class T>
void launch_product_weights(Queue& queue, const Pattern& pattern, std::int64_t sequences, std::int64_t summed,
                            std::int64_t columns, Rows<const T> dz, Rows<const T> v, Rows<T> dw, bool accumulate) {
  const auto run = [&](auto tag, std::int64_t tile_rows, std::int64_t lane_links) {
    const Grid grid{std::size_t(sequences), divide_up(pattern.n(), tile_rows), divide_up(pattern.links(), lane_links)};
    launch<decltype(tag)::kernel>(queue, grid, dz.data, dz.sequence, dz.row, v.data, v.sequence, v.row, dw.data,
                                  dw.sequence, dw.row, accumulate, checked_int32(summed, "the batch"),
                                  pattern.device_offsets(), pattern.n(), pattern.links(), columns, tile_rows,
                                  lane_links);
  };
  if (queue.device().cpu_like())
    run(KernelTag<&kernels::product_weights<T, cpu_vector<T>, 4>>(), cpu_tile_rows, pattern.links());
  else
    run(KernelTag<&kernels::product_weights<T, 1, 1>>(), 1, 1);
}

template void launch_product(Queue&, bool, const Pattern&, std::int64_t, std::int64_t, Rows<const float>,
                             Rows<const float>, Rows<float>, Rows<const float>);
template void launch_product(Queue&, bool, const Pattern&, std::int64_t, std::int64_t, Rows<const double>,
                             Rows<const double>, Rows<double>, Rows<const double>);
template void launch_product_weights(Queue&, const Pattern&, std::int64_t, std::int64_t, std::int64_t,
                                     Rows<const float>, Rows<const float>, Rows<float>, bool);
template void launch_product_weights(Queue&, const Pattern&, std::int64_t, std::int64_t, std::int64_t,
                                     Rows<const double>, Rows<const double>, Rows<double>, bool);

void product(const Pattern& pattern, const Tensor& w, const Tensor& v, const Tensor& z, bool accumulate) {
  run_product(false, pattern, w, v, z, accumulate);
}

void product_transposed(const Pattern& pattern, const Tensor& w, const Tensor& v, const Tensor& z, bool accumulate) {
  run_product(true, pattern, w, v, z, accumulate);
}

void product_weights(const Pattern& pattern, const Tensor& dz, const Tensor& v, const Tensor& dw, bool accumulate) {
  const DataType type = common_type(pattern, {{"dz", &dz}, {"v", &v}, {"dw", &dw}});
  const Matrices gs = matrices("dz", dz), vs = matrices("v", v), ws = matrices("dw", dw);
  const std::int64_t batch = gs.sequences;
  expect_matrices("dz", gs, batch, pattern.n(), gs.columns);
  expect_matrices("v", vs, batch, pattern.n(), gs.columns);
  const bool per_sequence = dw.rank() == 3;
  expect_matrices("dw", ws, per_sequence ? batch : 1, pattern.n(), pattern.links());
  expect_apart("dw", dw, "v", v);
  expect_apart("dw", dw, "dz", dz);
  if (batch == 0) {  // the sum over no sequences
    if (!accumulate) fill(dw, 0);
    return;
  }
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    launch_product_weights<T>(*pattern.context()->submit(), pattern, per_sequence ? batch : 1, per_sequence ? 1 : batch,
                              gs.columns, rows_of<const T>(dz, gs), rows_of<const T>(v, vs), rows_of<T>(dw, ws),
                              accumulate);
  });
}

}  // namespace chord
