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

// A CPU's workers are few, because each has sums of its own, and have enough to do to be worth them; where there is
// little, they share it nevertheless.
constexpr std::int64_t most_workers = 64, few_workers = 16, least_tiles = 4, least_rows = 512;

// A GPU's are teams of 64 lanes, four for each of the multiprocessors of a large one, but their sums take no more
// memory than this. Where networks have many inputs, so does what their gradients are made of, for some rows at a time:
// with two batches of a chain's values, ListOps stays below 128·10⁶ bytes.
constexpr std::int64_t most_teams = 432, most_partial_bytes = std::int64_t(128) << 20;
constexpr std::int64_t most_wide_partial_bytes = std::int64_t(36) << 20, most_slopes_bytes = 24'200'000;

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
bool is_wide(const DeviceDescription& device, const Mlps& mlps) {
  return with_shape<kernels::mlp_backward, T>(
      device, [&](auto shape) { return kernels::mlp_backward::is_wide<decltype(shape)>(mlps.place.network); });
}

/// How a network's tiles are spread.
template <class T>
RowSplit tile_split(const DeviceDescription& device, const Mlps& mlps, std::int64_t rows) {
  const auto tiles = std::int64_t(kernels::divide_up(rows, tile_rows<T>(device)));
  if (device.cpu_like())
    return split(tiles, std::clamp<std::int64_t>(tiles / few_workers, 1, least_tiles), most_workers);
  const std::int64_t bytes = is_wide<T>(device, mlps) ? most_wide_partial_bytes : most_partial_bytes;
  // A sequence of one position has no factors, and so no networks for them.
  const std::int64_t each = std::max<std::int64_t>(mlps.count * mlps.place.network.size(), 1);
  const std::int64_t fit = bytes / (each * std::int64_t(sizeof(T)));
  return {std::clamp<std::int64_t>(std::min(fit, most_teams), 1, std::max<std::int64_t>(tiles, 1)), 0};
}

/// From one worker's sums to the next one's: all begin where a sector of a GPU's memory does.
template <class T>
std::int64_t mlp_partial_size(const Mlps& mlps) {
  constexpr std::int64_t sector = 32 / sizeof(T);
  return std::int64_t(kernels::divide_up(mlps.count * mlps.place.network.size(), sector)) * sector;
}

/// Rows whose gradients are made at a time.
template <class T>
std::int64_t rows_at_a_time(const DeviceDescription& device, const Mlps& mlps, std::int64_t rows) {
  if (!is_wide<T>(device, mlps)) return rows;
  const std::int64_t tile = tile_rows<T>(device),
                     each = std::max<std::int64_t>(mlps.count * mlps.place.network.hidden, 1),
                     fit = most_slopes_bytes / (each * std::int64_t(sizeof(T)));
  return std::min(rows, std::max<std::int64_t>(fit / tile, 1) * tile);
}

/// Numbers that each worker of the first layer's gradient has.
std::int64_t embed_sums(const ModelDescription& d) {
  return (d.input == InputKind::tokens ? d.vocabulary : d.features + 1) * d.width;
}

/// How the rows of the first layer are spread.
RowSplit row_split(const DeviceDescription& device, const ModelDescription& d, std::int64_t rows) {
  if (device.cpu_like()) return split(rows, least_rows, most_workers);
  // Enough for a large GPU, but no more than 512 rows each while their sums fit.
  constexpr std::int64_t few_rows = 64, many_rows = 512, enough_workers = 320;
  const std::int64_t wanted = std::max(enough_workers, std::int64_t(kernels::divide_up(rows, many_rows)));
  const std::int64_t fit = most_partial_bytes / (embed_sums(d) * std::int64_t(size_of(d.type())));
  return split(rows, few_rows, std::clamp<std::int64_t>(fit, 1, wanted));
}

}  // namespace

template <class T>
std::int64_t Layers<T>::mlp_scratch(const DeviceDescription& device, const Mlps& mlps, std::int64_t rows) {
  if (is_wide<T>(device, mlps)) return rows_at_a_time<T>(device, mlps, rows) * mlps.count * mlps.place.network.hidden;
  if (!device.cpu_like()) return 0;
  return tile_split<T>(device, mlps, rows).workers * kernels::mlp_backward::scratch_rows(mlps.place.network) *
         tile_rows<T>(device);
}

template <class T>
std::int64_t Layers<T>::mlp_partial(const DeviceDescription& device, const Mlps& mlps, std::int64_t rows) {
  return tile_split<T>(device, mlps, rows).workers * mlp_partial_size<T>(mlps);
}

/// to (+)= Σ_workers partial[worker]
template <class T>
void Layers<T>::sum_workers(const T* partial, std::int64_t workers, std::int64_t apart, std::int64_t size, T* to,
                            bool accumulate) {
  // A CPU's threads take rows; a GPU's kernel cuts them up itself.
  const std::int64_t columns = queue_.device().cpu_like() ? 256 : size;
  const std::int64_t whole = size / columns * columns;
  const auto sum = [&](std::int64_t first, std::int64_t rows, std::int64_t width) {
    launch<kernels::sum_partials, T>(queue_, {.partial = partial + first,
                                              .to = {to + first, 0, 0, width},
                                              .partials = workers,
                                              .partial_size = apart,
                                              .factors = 1,
                                              .rows = rows,
                                              .columns = width,
                                              .accumulate = accumulate});
  };
  sum(0, whole / columns, columns);
  if (size > whole) sum(whole, 1, size - whole);
}

template <class T>
void Layers<T>::mlp_forward(const Mlps& mlps, const T* in, std::int64_t rows, T* out, T* scratch) {
  const RowSplit split = tile_split<T>(queue_.device(), mlps, rows);
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
  const RowSplit split = tile_split<T>(queue_.device(), mlps, rows);
  const bool wide = is_wide<T>(queue_.device(), mlps);
  const kernels::Network network = mlps.place.network;
  const std::int64_t each = rows_at_a_time<T>(queue_.device(), mlps, rows);
  for (std::int64_t first = 0; first < rows; first += each) {
    const std::int64_t some = std::min(each, rows - first);
    launch<kernels::mlp_backward, T>(queue_, {.in = in + first * network.ins,
                                              .parameters = parameters_ + mlps.place.offset,
                                              .dout = gradient.dout + first * network.outs,
                                              .din = gradient.din + first * network.ins,
                                              .partial = gradient.partial,
                                              .scratch = gradient.scratch,
                                              .slopes = gradient.scratch,
                                              .network = network,
                                              .rows = some,
                                              .networks = mlps.count,
                                              .dout_rows = rows,
                                              .workers = split.workers,
                                              .tiles_each = split.each,
                                              .partial_size = mlp_partial_size<T>(mlps),
                                              .accumulate = gradient.accumulate_din,
                                              .accumulate_partial = first > 0});
    if (wide)
      launch<kernels::mlp_input_gradient, T>(queue_, {.slopes = gradient.scratch,
                                                      .parameters = parameters_ + mlps.place.offset,
                                                      .din = gradient.din + first * network.ins,
                                                      .network = network,
                                                      .rows = some,
                                                      .networks = mlps.count,
                                                      .accumulate = gradient.accumulate_din});
  }
  sum_workers(gradient.partial, split.workers, mlp_partial_size<T>(mlps), mlps.count * mlps.place.network.size(),
              gradients_ + mlps.place.offset, accumulate_);
}

template <class T>
std::int64_t Layers<T>::embed_partial(const DeviceDescription& device, const ModelDescription& d, std::int64_t rows) {
  return checked_multiply(row_split(device, d, rows).workers, embed_sums(d));
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
  const RowSplit split = row_split(queue_.device(), d, rows);
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
    const std::int64_t size = d.vocabulary * d.width;
    sum_workers(partial, split.workers, size, size, gradients_ + list_.embedding, accumulate_);
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
    const std::int64_t size = d.width * (d.features + 1);
    sum_workers(partial, split.workers, size, size, gradients_ + list_.input.weight, accumulate_);
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
std::int64_t Layers<T>::dense_pieces(const DeviceDescription& device, std::int64_t ins) {
  return with_shape<kernels::dense_forward, T>(
      device, [&](auto shape) { return kernels::dense_forward::pieces<decltype(shape)>(ins); });
}

template <class T>
void Layers<T>::dense_forward(const LinearPlace& place, View<const T> in, std::int64_t rows, T* out, T* partial) {
  const std::int64_t pieces = dense_pieces(queue_.device(), place.ins);
  launch<kernels::dense_forward, T>(queue_, {.in = in,
                                             .weight = parameters_ + place.weight,
                                             .bias = parameters_ + place.bias,
                                             .out = pieces > 1 ? partial : out,
                                             .rows = rows,
                                             .ins = place.ins,
                                             .outs = place.outs});
  if (pieces > 1) sum_workers(partial, pieces, rows * place.outs, rows * place.outs, out, false);
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
