#include "operations/copy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

#include "common/error.hpp"
#include "device/launch.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

// A kernel takes four dimensions of a tensor at once.
constexpr int rank_at_once = 4;

/// A tensor's elements from an offset on, as a kernel sees them.
template <class Word>
struct Strided {
  View<Word> view;
  std::int64_t column_stride;
};

/// The last four dimensions of a tensor, from an element on; dimensions that it has not are of extent 1 and stride 0.
template <class Word>
Strided<Word> last_dimensions(const Tensor& tensor, std::int64_t element) {
  std::int64_t strides[rank_at_once] = {};
  for (int i = 1; i <= std::min(rank_at_once, tensor.rank()); ++i)
    strides[rank_at_once - i] = tensor.strides[tensor.rank() - i];
  return {{tensor.data<std::remove_const_t<Word>>() + element, strides[0], strides[1], strides[2]}, strides[3]};
}

/// action(extents, first element of a, first element of b) for every choice of the dimensions before the last four.
template <class Action>
void for_outer_dimensions(const Tensor& a, const Tensor& b, Action action) {
  std::array<std::int64_t, rank_at_once> extents;
  for (int i = 1; i <= rank_at_once; ++i) extents[rank_at_once - i] = i <= a.rank() ? a.shape[a.rank() - i] : 1;
  const std::function<void(int, std::int64_t, std::int64_t)> walk = [&](int dimension, std::int64_t at_a,
                                                                        std::int64_t at_b) {
    if (a.rank() - dimension <= rank_at_once) return action(extents, at_a, at_b);
    for (std::int64_t i = 0; i < a.shape[dimension]; ++i)
      walk(dimension + 1, at_a + i * a.strides[dimension], at_b + i * b.strides[dimension]);
  };
  walk(0, 0, 0);
}

template <class Word>
void copy_words(Queue& queue, const Tensor& from, const Tensor& to) {
  for_outer_dimensions(from, to, [&](const auto& extents, std::int64_t at_from, std::int64_t at_to) {
    const auto source = last_dimensions<const Word>(from, at_from);
    const auto target = last_dimensions<Word>(to, at_to);
    launch<kernels::copy_strided, Word>(queue, {.from = source.view,
                                                .to = target.view,
                                                .from_column_stride = source.column_stride,
                                                .to_column_stride = target.column_stride,
                                                .factors = extents[0],
                                                .sequences = extents[1],
                                                .rows = extents[2],
                                                .columns = extents[3]});
  });
}

/// `value` is of the tensor's type and of the word's size.
template <class Word, class T>
void fill_words(Queue& queue, const Tensor& tensor, T value) {
  for_outer_dimensions(tensor, tensor, [&](const auto& extents, std::int64_t at, std::int64_t) {
    const auto target = last_dimensions<Word>(tensor, at);
    launch<kernels::fill_strided, Word>(queue, {.to = target.view,
                                                .column_stride = target.column_stride,
                                                .factors = extents[0],
                                                .sequences = extents[1],
                                                .rows = extents[2],
                                                .columns = extents[3],
                                                .value = std::bit_cast<Word>(value)});
  });
}

template <class T>
T converted(double value, DataType type) {
  // The limits as doubles: the largest int64 itself is not one.
  const double limit = std::ldexp(1.0, 8 * sizeof(T) - 1);
  if (!(value >= -limit && value < limit)) fail(Status::invalid_argument, value, " does not fit into ", name_of(type));
  if (value != std::floor(value))
    fail(Status::invalid_argument, value, " is not whole, as every ", name_of(type), " is");
  return static_cast<T>(value);
}

/// Of values that a contiguous tensor has been given.
IndexRange range_of(const std::int32_t* values, const Tensor& tensor) {
  const auto [least, largest] = std::minmax_element(values, values + tensor.elements());
  const auto [first, last] = tensor.reach();
  return {first, last, *least, *largest, least - values, largest - values};
}

}  // namespace

void copy(const Tensor& from, const Tensor& to) {
  if (from.type != to.type) fail(Status::invalid_type, "cannot copy ", name_of(from.type), " to ", name_of(to.type));
  if (!(from.shape == to.shape))
    fail(Status::invalid_shape, "cannot copy shape ", describe(from.shape), " to ", describe(to.shape));
  if (&from.context() != &to.context())
    fail(Status::context_mismatch, "the two tensors of a copy belong to different contexts");
  if (to.elements() == 0) return;
  if (overlap(from, to)) fail(Status::invalid_argument, "the two tensors of a copy overlap");
  expect_writable("the target", to);
  to.storage->forget();
  auto queue = to.context().submit();
  if (from.contiguous() && to.contiguous())
    queue->copy(to.data<void>(), from.data<void>(), to.bytes());
  else if (size_of(to.type) == 4)
    copy_words<std::uint32_t>(*queue, from, to);
  else
    copy_words<std::uint64_t>(*queue, from, to);
}

void fill(const Tensor& tensor, double value) {
  if (tensor.elements() == 0) return;
  expect_writable("the tensor", tensor);
  tensor.storage->forget();
  const DataType type = tensor.type;
  auto queue = tensor.context().submit();
  switch (type) {
    case DataType::float32: return fill_words<std::uint32_t>(*queue, tensor, static_cast<float>(value));
    case DataType::float64: return fill_words<std::uint64_t>(*queue, tensor, value);
    case DataType::int32: return fill_words<std::uint32_t>(*queue, tensor, converted<std::int32_t>(value, type));
    case DataType::int64: return fill_words<std::uint64_t>(*queue, tensor, converted<std::int64_t>(value, type));
  }
}

void copy_from_host(const void* host, const Tensor& to) {
  if (to.elements() == 0) return;
  if (to.contiguous()) {
    to.storage->forget();
    to.context().submit()->upload(to.data<void>(), host, to.bytes());
    if (to.type == DataType::int32) to.storage->remember(range_of(static_cast<const std::int32_t*>(host), to));
    return;
  }
  const Tensor packed = Tensor::create(to.storage->shared_context(), to.type, to.shape);
  copy_from_host(host, packed);
  copy(packed, to);
}

void copy_to_host(const Tensor& from, void* host) {
  if (from.elements() == 0) return;
  if (from.contiguous()) {
    from.context().submit()->copy(host, from.data<void>(), from.bytes());
    from.context().wait();
    return;
  }
  const Tensor packed = Tensor::create(from.storage->shared_context(), from.type, from.shape);
  copy(from, packed);
  copy_to_host(packed, host);
}

void copy_from_host(std::span<const double> values, const Tensor& to) {
  with_type(to.type, [&](auto zero) {
    const std::vector<decltype(zero)> typed(values.begin(), values.end());
    copy_from_host(typed.data(), to);
  });
}

std::vector<double> to_float64(const Tensor& tensor) {
  std::vector<double> values(std::size_t(tensor.elements()));
  with_type(tensor.type, [&](auto zero) {
    std::vector<decltype(zero)> typed(values.size());
    copy_to_host(tensor, typed.data());
    std::copy(typed.begin(), typed.end(), values.begin());
  });
  return values;
}

std::string bytes_of(const Tensor& tensor) {
  std::string bytes(tensor.bytes(), '\0');
  copy_to_host(tensor, bytes.data());
  return bytes;
}

}  // namespace chord
