#include "operations/copy.hpp"

#include <cmath>
#include <cstring>

#include "common/error.hpp"
#include "device/launch.hpp"

namespace chord {
namespace {

// A copy kernel's grid has three dimensions and a loop; tensors have up to eight, the outer ones taken one by one.
constexpr int kernel_rank = 4;

template <class Word>
void copy_words(Queue& queue, const Word* from, const Extents& from_strides, Word* to, const Extents& to_strides,
                const Extents& shape, int dimension) {
  const int left = shape.size() - dimension;
  if (left > kernel_rank) {
    for (std::int64_t i = 0; i < shape[dimension]; ++i)
      copy_words(queue, from + i * from_strides[dimension], from_strides, to + i * to_strides[dimension], to_strides,
                 shape, dimension + 1);
    return;
  }
  std::int64_t extent[kernel_rank] = {1, 1, 1, 1}, f[kernel_rank] = {}, t[kernel_rank] = {};
  for (int i = 0; i < left; ++i) {
    extent[kernel_rank - left + i] = shape[dimension + i];
    f[kernel_rank - left + i] = from_strides[dimension + i];
    t[kernel_rank - left + i] = to_strides[dimension + i];
  }
  launch<&kernels::copy_strided<Word>>(queue,
                                       Grid{std::size_t(extent[0]), std::size_t(extent[1]), std::size_t(extent[2])},
                                       from, f[0], f[1], f[2], f[3], to, t[0], t[1], t[2], t[3], extent[3]);
}

void copy_any(Queue& queue, const Tensor& from, const Tensor& to) {
  if (size_of(from.type) == 4)
    copy_words(queue, from.data<std::uint32_t>(), from.strides, to.data<std::uint32_t>(), to.strides, to.shape, 0);
  else
    copy_words(queue, from.data<std::uint64_t>(), from.strides, to.data<std::uint64_t>(), to.strides, to.shape, 0);
}

template <class T>
T converted(double value, DataType type) {
  if constexpr (std::is_integral_v<T>) {
    // The limits as doubles: the largest int64 itself is not one.
    const double limit = std::ldexp(1.0, 8 * sizeof(T) - 1);
    if (!(value >= -limit && value < limit))
      fail(Status::invalid_argument, value, " does not fit into ", name_of(type));
  }
  return static_cast<T>(value);
}

}  // namespace

void copy(const Tensor& from, const Tensor& to) {
  if (from.type != to.type)
    fail(Status::invalid_type, "cannot copy ", name_of(from.type), " to ", name_of(to.type));
  if (!(from.shape == to.shape))
    fail(Status::invalid_shape, "cannot copy shape ", describe(from.shape), " to ", describe(to.shape));
  if (&from.context() != &to.context())
    fail(Status::context_mismatch, "the two tensors of a copy belong to different contexts");
  if (to.elements() == 0) return;
  if (overlap(from, to)) fail(Status::invalid_argument, "the two tensors of a copy overlap");
  expect_writable("the target", to);
  auto queue = to.context().submit();
  if (from.contiguous() && to.contiguous())
    queue->copy(to.data<void>(), from.data<void>(), to.bytes());
  else
    copy_any(*queue, from, to);
}

void fill(const Tensor& tensor, double value) {
  if (tensor.elements() == 0) return;
  expect_writable("the tensor", tensor);
  // A copy from one element, read everywhere.
  const Tensor one = Tensor::create(tensor.storage->shared_context(), tensor.type, {1});
  switch (tensor.type) {
    case DataType::float32: { const float x = converted<float>(value, tensor.type); copy_from_host(&x, one); break; }
    case DataType::float64: copy_from_host(&value, one); break;
    case DataType::int32: { const auto x = converted<std::int32_t>(value, tensor.type); copy_from_host(&x, one); break; }
    case DataType::int64: { const auto x = converted<std::int64_t>(value, tensor.type); copy_from_host(&x, one); break; }
  }
  Extents repeat = tensor.shape;
  for (int i = 0; i < repeat.size(); ++i) repeat[i] = 0;
  const Tensor source = one.view(tensor.shape, repeat, 0);
  copy_any(*tensor.context().submit(), source, tensor);
}

void copy_from_host(const void* host, const Tensor& to) {
  if (to.elements() == 0) return;
  if (to.contiguous()) {
    to.context().submit()->copy(to.data<void>(), host, to.bytes());
    to.context().wait();
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

}  // namespace chord
