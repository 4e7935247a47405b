#include "nn/layers.hpp"

#include <algorithm>
#include <cmath>

#include "common/size.hpp"
#include "device/launch.hpp"
#include "operations/block_shape.hpp"

namespace chord {
namespace {

// The shapes of CHORD_KERNELS_MODEL in kernels/list.hpp.
template <int W, int V, int R>
struct ModelShape {
  static constexpr int width = W, vectors = V, tile = R;
};
template <class T>
using CpuModelShape = ModelShape<cpu_vector<T>, 2, 12 * cpu_vector<T>>;
using ItemModelShape = ModelShape<1, 1, 1>;

template <class T, class Action>
void with_shape(const DeviceDescription& device, Action action) {
  if (device.cpu_like())
    action(CpuModelShape<T>());
  else
    action(ItemModelShape());
}

/// How rows are spread over workers; it depends on nothing but their number and the kind of device.
struct RowSplit {
  std::int64_t workers = 0, each = 0;  ///< each: tiles or rows of a worker
};

// A CPU's workers are few, because each has sums of its own, and have enough to do to be worth them.
constexpr std::int64_t most_workers = 64, least_tiles = 4, least_rows = 512, most_items = 1024;

RowSplit split(std::int64_t pieces, std::int64_t least, std::int64_t most) {
  RowSplit result;
  result.each = std::max<std::int64_t>(least, divide_up(pieces, most));
  result.workers = divide_up(pieces, result.each);
  return result;
}

template <class T>
RowSplit tile_split(const DeviceDescription& device, std::int64_t rows) {
  if (!device.cpu_like()) return split(rows, 1, most_items);
  return split(divide_up(rows, CpuModelShape<T>::tile), least_tiles, most_workers);
}

RowSplit row_split(std::int64_t rows) { return split(rows, least_rows, most_workers); }

template <class T>
std::int64_t tile_of(const DeviceDescription& device) {
  return device.cpu_like() ? CpuModelShape<T>::tile : 1;
}

/// to (+)= Σ_workers partial[worker]
template <class T>
void sum_workers(Queue& queue, const T* partial, std::int64_t workers, std::int64_t size, T* to, bool accumulate) {
  constexpr std::int64_t columns = 256;
  const std::int64_t whole = size / columns, rest = size % columns;
  launch<&kernels::sum_partials<T>>(queue, Grid{1, std::size_t(whole)}, partial, workers, size, whole, to, 0, columns,
                                    columns, accumulate);
  if (rest > 0)
    launch<&kernels::sum_partials<T>>(queue, Grid{}, partial + whole * columns, workers, size, 1, to + whole * columns,
                                      0, rest, rest, accumulate);
}

}  // namespace

template <class T>
std::int64_t Mlps<T>::scratch_size(const DeviceDescription& device, std::int64_t rows) const {
  return tile_split<T>(device, rows).workers * (2 * place.ins + 2 * place.hidden + place.outs) * tile_of<T>(device);
}

template <class T>
std::int64_t Mlps<T>::partial_size(const DeviceDescription& device, std::int64_t rows) const {
  return tile_split<T>(device, rows).workers * count * place.size();
}

template <class T>
void mlp_forward(Queue& queue, const Mlps<T>& mlps, const T* in, std::int64_t rows, T* out, T* scratch) {
  const MlpPlace& p = mlps.place;
  const RowSplit split = tile_split<T>(queue.device(), rows);
  with_shape<T>(queue.device(), [&](auto shape) {
    using Shape = decltype(shape);
    launch<&kernels::mlp_forward<T, Shape::width, Shape::vectors, Shape::tile>>(
        queue, Grid{std::size_t(split.workers)}, in, rows, p.ins, mlps.parameters + p.offset, p.size(), mlps.count,
        p.hidden, p.outs, out, scratch, split.each);
  });
}

template <class T>
void mlp_backward(Queue& queue, const Mlps<T>& mlps, const T* in, std::int64_t rows, const T* dout, T* din,
                  bool accumulate_din, T* gradients, bool accumulate, T* partial, T* scratch) {
  const MlpPlace& p = mlps.place;
  const RowSplit split = tile_split<T>(queue.device(), rows);
  with_shape<T>(queue.device(), [&](auto shape) {
    using Shape = decltype(shape);
    launch<&kernels::mlp_backward<T, Shape::width, Shape::vectors, Shape::tile>>(
        queue, Grid{std::size_t(split.workers)}, in, rows, p.ins, mlps.parameters + p.offset, p.size(), mlps.count,
        p.hidden, p.outs, dout, din, accumulate_din, partial, scratch, split.each);
  });
  sum_workers(queue, partial, split.workers, mlps.count * p.size(), gradients + p.offset, accumulate);
}

template <class T>
std::int64_t Embedding<T>::partial_size(std::int64_t rows) const {
  const std::int64_t each = description.input == InputKind::tokens ? description.vocabulary : description.features + 1;
  return checked_multiply(row_split(rows).workers, each * description.width);
}

template <class T>
void embed(Queue& queue, const Embedding<T>& embedding, const T* parameters, const void* inputs, std::int64_t sequences,
           T* out) {
  const ModelDescription& d = embedding.description;
  const ParameterList& list = embedding.list;
  const T* positions = d.positions ? parameters + list.positions : nullptr;
  if (d.input == InputKind::tokens)
    return launch<&kernels::embed_tokens<T>>(queue, Grid{std::size_t(sequences), std::size_t(d.length)},
                                             static_cast<const std::int32_t*>(inputs), parameters + list.embedding,
                                             positions, out, d.length, d.width);
  const std::int64_t rows = sequences * d.length, piece_rows = queue.device().cpu_like() ? 64 : 1;
  with_shape<T>(queue.device(), [&](auto shape) {
    launch<&kernels::embed_reals<T, decltype(shape)::width>>(
        queue, Grid{1, divide_up(rows, piece_rows)}, static_cast<const T*>(inputs), d.features,
        parameters + list.input.weight, parameters + list.input.bias, positions, out, rows, piece_rows, d.length,
        d.width);
  });
}

template <class T>
void embed_backward(Queue& queue, const Embedding<T>& embedding, const void* inputs, std::int64_t sequences,
                    const T* dout, T* gradients, bool accumulate, T* partial) {
  const ModelDescription& d = embedding.description;
  const ParameterList& list = embedding.list;
  const std::int64_t rows = sequences * d.length;
  const RowSplit split = row_split(rows);
  const Grid workers{std::size_t(split.workers)};
  if (d.input == InputKind::tokens) {
    launch<&kernels::embed_tokens_gradient<T>>(queue, workers, static_cast<const std::int32_t*>(inputs), dout, partial,
                                               rows, split.each, d.vocabulary, d.width, d.padding);
    sum_workers(queue, partial, split.workers, d.vocabulary * d.width, gradients + list.embedding, accumulate);
  } else {
    with_shape<T>(queue.device(), [&](auto shape) {
      launch<&kernels::embed_reals_gradient<T, decltype(shape)::width>>(
          queue, workers, static_cast<const T*>(inputs), d.features, dout, partial, rows, split.each, d.width);
    });
    // The bias follows the weight there and here.
    sum_workers(queue, partial, split.workers, d.width * (d.features + 1), gradients + list.input.weight, accumulate);
  }
  if (d.positions)
    launch<&kernels::positions_gradient<T>>(queue, Grid{1, std::size_t(d.length)}, dout, sequences, d.length, d.width,
                                            gradients + list.positions, accumulate);
}

template <class T>
void dropout(Queue& queue, double share, DropoutKey key, std::int32_t layer, T* values, std::int64_t count,
             std::int64_t place) {
  if (share == 0) return;
  constexpr std::int64_t length = 4096;
  launch<&kernels::dropout<T>>(queue, Grid{1, divide_up(count, length)}, values, count, length, place,
                               std::int64_t(key.seed), key.step, layer, std::int32_t(std::lround(share * 65536)),
                               T(1 / (1 - share)));
}

namespace {

// Columns of a long row that a lane takes.
constexpr std::int64_t piece_columns = 1024;

}  // namespace

template <class T>
void dense_forward(Queue& queue, const LinearPlace& place, const T* parameters, DenseRows<const T> in,
                   std::int64_t rows, T* out) {
  with_shape<T>(queue.device(), [&](auto shape) {
    launch<&kernels::dense_forward<T, decltype(shape)::width>>(
        queue, Grid{1, std::size_t(rows), std::size_t(place.outs)}, in.data, in.stride, place.ins,
        parameters + place.weight, parameters + place.bias, out, place.outs);
  });
}

template <class T>
void dense_backward(Queue& queue, const LinearPlace& place, const T* parameters, DenseRows<const T> in,
                    std::int64_t rows, const T* dout, DenseRows<T> din, T* gradients, bool accumulate) {
  const std::size_t pieces = divide_up(place.ins, piece_columns);
  with_shape<T>(queue.device(), [&](auto shape) {
    constexpr int width = decltype(shape)::width;
    launch<&kernels::dense_gradient_input<T, width>>(queue, Grid{1, std::size_t(rows), pieces}, dout, place.outs,
                                                     parameters + place.weight, place.ins, piece_columns, din.data,
                                                     din.stride);
    launch<&kernels::dense_gradient_weights<T, width>>(queue, Grid{1, std::size_t(place.outs), pieces}, dout,
                                                       place.outs, in.data, in.stride, rows, place.ins, piece_columns,
                                                       gradients + place.weight, gradients + place.bias, accumulate);
  });
}

template <class T>
void gelu_forward(Queue& queue, const T* in, std::int64_t count, T* out) {
  launch<&kernels::gelu_values<T>>(queue, Grid{1, std::size_t(count)}, in, out);
}

template <class T>
void gelu_backward(Queue& queue, const T* in, std::int64_t count, T* gradient) {
  launch<&kernels::gelu_gradient<T>>(queue, Grid{1, std::size_t(count)}, in, gradient);
}

template <class T>
void loss_rows(Queue& queue, const ModelDescription& description, const T* outputs, const void* labels,
               std::int64_t rows, double scale, LossRows<T> out) {
  const Grid grid{1, std::size_t(rows)};
  if (description.loss == Loss::cross_entropy)
    launch<&kernels::cross_entropy<T>>(queue, grid, outputs, description.classes,
                                       static_cast<const std::int32_t*>(labels), T(scale), out.sums, out.gaps,
                                       out.correct, out.gradient);
  else
    launch<&kernels::squared_error<T>>(queue, grid, outputs, description.classes, static_cast<const T*>(labels),
                                       T(description.tolerance), T(scale), out.gaps, out.correct, out.gradient);
}

double loss_of(const ModelDescription& description, double sum, double gap) {
  return description.loss == Loss::cross_entropy ? std::log(sum) + gap : gap;
}

template <class T>
void adam(Queue& queue, const AdamSettings& settings, std::int64_t step, T* parameters, const T* gradients, T* first,
          T* second, std::int64_t count) {
  constexpr std::int64_t length = 4096;
  const double rate = settings.learning_rate / (1 - std::pow(settings.beta1, double(step)));
  const double correction = 1 / std::sqrt(1 - std::pow(settings.beta2, double(step)));
  launch<&kernels::adam<T>>(queue, Grid{1, divide_up(count, length)}, parameters, gradients, first, second, count,
                            length, T(settings.beta1), T(settings.beta2), T(rate), T(correction), T(settings.epsilon));
}

#define CHORD_LAYERS(T)                                                                                               \
  template struct Mlps<T>;                                                                                            \
  template struct Embedding<T>;                                                                                       \
  template void mlp_forward(Queue&, const Mlps<T>&, const T*, std::int64_t, T*, T*);                                  \
  template void mlp_backward(Queue&, const Mlps<T>&, const T*, std::int64_t, const T*, T*, bool, T*, bool, T*, T*);   \
  template void embed(Queue&, const Embedding<T>&, const T*, const void*, std::int64_t, T*);                          \
  template void embed_backward(Queue&, const Embedding<T>&, const void*, std::int64_t, const T*, T*, bool, T*);       \
  template void dropout(Queue&, double, DropoutKey, std::int32_t, T*, std::int64_t, std::int64_t);                    \
  template void dense_forward(Queue&, const LinearPlace&, const T*, DenseRows<const T>, std::int64_t, T*);            \
  template void dense_backward(Queue&, const LinearPlace&, const T*, DenseRows<const T>, std::int64_t, const T*,      \
                               DenseRows<T>, T*, bool);                                                               \
  template void gelu_forward(Queue&, const T*, std::int64_t, T*);                                                     \
  template void gelu_backward(Queue&, const T*, std::int64_t, T*);                                                    \
  template void loss_rows(Queue&, const ModelDescription&, const T*, const void*, std::int64_t, double, LossRows<T>); \
  template void adam(Queue&, const AdamSettings&, std::int64_t, T*, const T*, T*, T*, std::int64_t);
CHORD_LAYERS(float)
CHORD_LAYERS(double)
#undef CHORD_LAYERS

}  // namespace chord
