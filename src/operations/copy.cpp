#include "operations/copy.hpp"

#include <cmath>
#include <cstring>

#include "common/error.hpp"
#include "device/launch.hpp"
#include "operations/shapes.hpp"

namespace chord {
namespace {

/// Walks the elements of a tensor in pieces that a kernel takes at once: a grid of three dimensions and a loop inside;
/// the outer dimensions of a tensor of more are taken one by one.
class StridedLoop {
 public:
  static constexpr int rank = 4;
  struct Layout {
    std::int64_t offset = 0, strides[rank] = {};
  };

  explicit StridedLoop(const Extents& shape) : shape_(shape) {}

  /// Two layouts that walk together; action(grid, extent, first, second).
  template <class Action>
  void run(const Extents& first, const Extents& second, Action action) const {
    walk(0, {}, {}, first, second, action);
  }

 private:
  template <class Action>
  void walk(int dimension, Layout a, Layout b, const Extents& first, const Extents& second, Action action) const {
    const int left = shape_.size() - dimension;
    if (left > rank) {
      for (std::int64_t i = 0; i < shape_[dimension]; ++i) {
        walk(dimension + 1, a, b, first, second, action);
        a.offset += first[dimension];
        b.offset += second[dimension];
      }
      return;
    }
    std::int64_t extent[rank] = {1, 1, 1, 1};
    for (int i = 0; i < left; ++i) {
      extent[rank - left + i] = shape_[dimension + i];
      a.strides[rank - left + i] = first[dimension + i];
      b.strides[rank - left + i] = second[dimension + i];
    }
    action(Grid{std::size_t(extent[0]), std::size_t(extent[1]), std::size_t(extent[2])}, extent[3], a, b);
  }

  const Extents& shape_;
};

template <class Word>
void copy_words(Queue& queue, const Tensor& from, const Tensor& to) {
  StridedLoop(to.shape).run(from.strides, to.strides, [&](Grid grid, std::int64_t extent, auto f, auto t) {
    launch<&kernels::copy_strided<Word>>(queue, grid, from.data<Word>() + f.offset, f.strides[0], f.strides[1],
                                         f.strides[2], f.strides[3], to.data<Word>() + t.offset, t.strides[0],
                                         t.strides[1], t.strides[2], t.strides[3], extent);
  });
}

/// `value` is of the tensor's type and of the word's size.
template <class Word, class T>
void fill_words(Queue& queue, const Tensor& tensor, T value) {
  static_assert(sizeof(Word) == sizeof(T));
  Word bits;
  std::memcpy(&bits, &value, sizeof bits);
  StridedLoop(tensor.shape).run(tensor.strides, tensor.strides, [&](Grid grid, std::int64_t extent, auto t, auto) {
    launch<&kernels::fill_strided<Word>>(queue, grid, tensor.data<Word>() + t.offset, t.strides[0], t.strides[1],
                                         t.strides[2], t.strides[3], extent, bits);
  });
}

template <class T>
T converted(double value, DataType type) {
  // The limits as doubles: the largest int64 itself is not one.
  const double limit = std::ldexp(1.0, 8 * sizeof(T) - 1);
  if (!(value >= -limit && value < limit)) fail(Status::invalid_argument, value, " does not fit into ", name_of(type));
  return static_cast<T>(value);
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

void copy_from_host(const std::vector<double>& values, const Tensor& to) {
  with_type(to.type, [&](auto zero) {
    const std::vector<decltype(zero)> typed(values.begin(), values.end());
    copy_from_host(typed.data(), to);
  });
}

std::string bytes_of(const Tensor& tensor) {
  std::string bytes(tensor.bytes(), '\0');
  copy_to_host(tensor, bytes.data());
  return bytes;
}

}  // namespace chord
