#include "nn/layers.hpp"

#include <algorithm>
#include <cmath>

#include "common/size.hpp"
#include "device/launch.hpp"

namespace chord {
namespace {

/// How rows are spread over workers; it depends on nothing but their number and the kind of device.
struct RowSplit {
  std::int64_t workers = 0, each = 0;  ///< each: tiles or rows of a worker
};

// A CPU's workers are few, because each has sums of its own, and have enough to do to be worth them.
constexpr std::int64_t most_workers = 64, least_tiles = 4, least_rows = 512, most_items = 1024;

RowSplit split(std::int64_t pieces, std::int64_t least, std::int64_t most) {
  RowSplit result;
  result.each = std::max<std::int64_t>(least, std::int64_t(kernels::divide_up(pieces, most)));
  result.workers = std::int64_t(kernels::divide_up(pieces, result.each));
  return result;
}

/// Rows of a network's tile.
template <class T>
std::int64_t tile_rows(const DeviceDescription& device) {
  return with_shape<kernels::mlp_backward, T>(device, [](auto shape) { return std::int64_t(shape.rows); });
}

template <class T>
RowSplit tile_split(const DeviceDescription& device, std::int64_t rows) {
  if (!device.cpu_like()) return split(rows, 1, most_items);
  return split(std::int64_t(kernels::divide_up(rows, tile_rows<T>(device))), least_tiles, most_workers);
}

RowSplit row_split(std::int64_t rows) { return split(rows, least_rows, most_workers); }

}  // namespace

template <class T>
std::int64_t Layers<T>::mlp_scratch(const DeviceDescription& device, const Mlps& mlps, std::int64_t rows) {
  return tile_split<T>(device, rows).workers * kernels::mlp_backward::scratch_rows(mlps.place.network) *
         tile_rows<T>(device);
}

template <class T>
std::int64_t Layers<T>::mlp_partial(const DeviceDescription& device, const Mlps& mlps, std::int64_t rows) {
  return tile_split<T>(device, rows).workers * mlps.count * mlps.place.network.size();
}

/// to (+)= Σ_workers partial[worker]
template <class T>
void Layers<T>::sum_workers(const T* partial, std::int64_t workers, std::int64_t size, T* to) {
  constexpr std::int64_t columns = 256;
  const std::int64_t whole = size / columns * columns;
  const auto sum = [&](std::int64_t first, std::int64_t rows, std::int64_t width) {
    launch<kernels::sum_partials, T>(queue_, {.partial = partial + first,
                                              .to = {to + first, 0, 0, width},
                                              .partials = workers,
                                              .partial_size = size,
                                              .factors = 1,
                                              .rows = rows,
                                              .columns = width,
                                              .accumulate = accumulate_});
  };
  sum(0, whole / columns, columns);
  if (size > whole) sum(whole, 1, size - whole);
}

template <class T>
void Layers<T>::mlp_forward(const Mlps& mlps, const T* in, std::int64_t rows, T* out, T* scratch) {
  const RowSplit split = tile_split<T>(queue_.device(), rows);
  launch<kernels::mlp_forward, T>(queue_, {.in = in,
                                           .parameters = parameters_ + mlps.place.offset,
                                           .out = out,
                                           .scratch = scratch,
                                           .network = mlps.place.network,
                                           .rows = rows,
                                           .networks = mlps.count,
                                           .workers = split.workers,
                                           .tiles_each = split.each});
}

template <class T>
void Layers<T>::mlp_backward(const Mlps& mlps, const T* in, std::int64_t rows, const MlpGradient& gradient) {
  const RowSplit split = tile_split<T>(queue_.device(), rows);
  launch<kernels::mlp_backward, T>(queue_, {.in = in,
                                            .parameters = parameters_ + mlps.place.offset,
                                            .dout = gradient.dout,
                                            .din = gradient.din,
                                            .partial = gradient.partial,
                                            .scratch = gradient.scratch,
                                            .network = mlps.place.network,
                                            .rows = rows,
                                            .networks = mlps.count,
                                            .workers = split.workers,
                                            .tiles_each = split.each,
                                            .accumulate = gradient.accumulate_din});
  sum_workers(gradient.partial, split.workers, mlps.count * mlps.place.network.size(), gradients_ + mlps.place.offset);
}

template <class T>
std::int64_t Layers<T>::embed_partial(const ModelDescription& d, std::int64_t rows) {
  const std::int64_t each = d.input == InputKind::tokens ? d.vocabulary : d.features + 1;
  return checked_multiply(row_split(rows).workers, each * d.width);
}

template <class T>
void Layers<T>::embed(const void* inputs, std::int64_t sequences, T* out) {
  const ModelDescription& d = description_;
  const T* positions = d.positions ? parameters_ + list_.positions : nullptr;
  if (d.input == InputKind::tokens)
    launch<kernels::embed_tokens, T>(queue_, {.tokens = static_cast<const std::int32_t*>(inputs),
                                              .table = parameters_ + list_.embedding,
                                              .positions = positions,
                                              .out = out,
                                              .sequences = sequences,
                                              .length = d.length,
                                              .vocabulary = d.vocabulary,
                                              .width = d.width});
  else
    launch<kernels::embed_reals, T>(queue_, {.in = static_cast<const T*>(inputs),
                                             .weight = parameters_ + list_.input.weight,
                                             .bias = parameters_ + list_.input.bias,
                                             .positions = positions,
                                             .out = out,
                                             .rows = sequences * d.length,
                                             .length = d.length,
                                             .features = d.features,
                                             .width = d.width});
}

template <class T>
void Layers<T>::embed_backward(const void* inputs, std::int64_t sequences, const T* dout, T* partial) {
  const ModelDescription& d = description_;
  const std::int64_t rows = sequences * d.length;
  const RowSplit split = row_split(rows);
  if (d.input == InputKind::tokens) {
    launch<kernels::embed_tokens_gradient, T>(queue_, {.tokens = static_cast<const std::int32_t*>(inputs),
                                                       .gradient = dout,
                                                       .partial = partial,
                                                       .rows = rows,
                                                       .rows_each = split.each,
                                                       .workers = split.workers,
                                                       .vocabulary = d.vocabulary,
                                                       .width = d.width,
                                                       .padding = d.padding});
    sum_workers(partial, split.workers, d.vocabulary * d.width, gradients_ + list_.embedding);
  } else {
    launch<kernels::embed_reals_gradient, T>(queue_, {.in = static_cast<const T*>(inputs),
                                                      .gradient = dout,
                                                      .partial = partial,
                                                      .rows = rows,
                                                      .rows_each = split.each,
                                                      .workers = split.workers,
                                                      .features = d.features,
                                                      .width = d.width});
    // The bias follows the weight there and here.
    sum_workers(partial, split.workers, d.width * (d.features + 1), gradients_ + list_.input.weight);
  }
  if (d.positions)
    launch<kernels::positions_gradient, T>(queue_, {.gradient = dout,
                                                    .out = gradients_ + list_.positions,
                                                    .sequences = sequences,
                                                    .length = d.length,
                                                    .width = d.width,
                                                    .accumulate = accumulate_});
}

template <class T>
void Layers<T>::embed_gradient_input(const T* dout, std::int64_t sequences, T* din) {
  const LinearPlace& place = list_.input;
  launch<kernels::dense_gradient_input, T>(queue_, {.dout = dout,
                                                    .weight = parameters_ + place.weight,
                                                    .din = {din, 0, 0, place.ins},
                                                    .rows = sequences * description_.length,
                                                    .ins = place.ins,
                                                    .outs = place.outs});
}

template <class T>
void Layers<T>::dropout(double share, DropoutKey key, std::int32_t layer, T* values, std::int64_t count,
                        std::int64_t place) {
  if (share == 0) return;
  launch<kernels::dropout, T>(queue_, {.x = values,
                                       .count = count,
                                       .place = place,
                                       .seed = std::int64_t(key.seed),
                                       .step = key.step,
                                       .layer = layer,
                                       .threshold = std::int32_t(std::lround(share * 65536)),
                                       .scale = T(1 / (1 - share))});
}

template <class T>
void Layers<T>::dense_forward(const LinearPlace& place, View<const T> in, std::int64_t rows, T* out) {
  launch<kernels::dense_forward, T>(queue_, {.in = in,
                                             .weight = parameters_ + place.weight,
                                             .bias = parameters_ + place.bias,
                                             .out = out,
                                             .rows = rows,
                                             .ins = place.ins,
                                             .outs = place.outs});
}

template <class T>
void Layers<T>::dense_backward(const LinearPlace& place, View<const T> in, std::int64_t rows, const T* dout,
                               View<T> din) {
  launch<kernels::dense_gradient_input, T>(queue_, {.dout = dout,
                                                    .weight = parameters_ + place.weight,
                                                    .din = din,
                                                    .rows = rows,
                                                    .ins = place.ins,
                                                    .outs = place.outs});
  launch<kernels::dense_gradient_weights, T>(queue_, {.dout = dout,
                                                      .in = in,
                                                      .dweight = gradients_ + place.weight,
                                                      .dbias = gradients_ + place.bias,
                                                      .rows = rows,
                                                      .ins = place.ins,
                                                      .outs = place.outs,
                                                      .accumulate = accumulate_});
}

template <class T>
void Layers<T>::gelu_forward(const T* in, std::int64_t count, T* out) {
  launch<kernels::gelu_forward, T>(queue_, {.in = in, .out = out, .count = count});
}

template <class T>
void Layers<T>::gelu_backward(const T* in, std::int64_t count, T* gradient) {
  launch<kernels::gelu_backward, T>(queue_, {.in = in, .gradient = gradient, .count = count});
}

template <class T>
void Layers<T>::loss(const T* outputs, const void* labels, std::int64_t rows, double scale, const LossRows<T>& out) {
  const ModelDescription& d = description_;
  if (d.loss == Loss::cross_entropy)
    launch<kernels::cross_entropy, T>(queue_, {.outputs = outputs,
                                               .labels = static_cast<const std::int32_t*>(labels),
                                               .sums = out.sums,
                                               .gaps = out.gaps,
                                               .correct = out.correct,
                                               .gradient = out.gradient,
                                               .rows = rows,
                                               .classes = d.classes,
                                               .scale = T(scale)});
  else
    launch<kernels::squared_error, T>(queue_, {.outputs = outputs,
                                               .labels = static_cast<const T*>(labels),
                                               .losses = out.gaps,
                                               .correct = out.correct,
                                               .gradient = out.gradient,
                                               .rows = rows,
                                               .classes = d.classes,
                                               .tolerance = T(d.tolerance),
                                               .scale = T(scale)});
}

template class Layers<float>;
template class Layers<double>;

}  // namespace chord
